internal import JSONValues
internal import PurchaseStorage
package import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Subscription {
  /// The bytes of ``SubscriptionBody``, written without a tree of values: most requests want these.
  package var body: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    append(to: &bytes)
    return bytes
  }

  /// Appends the members, sorted by name as in all JSON of the contract.
  func append(to bytes: inout [UInt8]) {
    let owner = owner?.rawValue
    bytes.append(#"{"autoRenewal":"#, autoRenewal)
    bytes.append(#","createdUtc":"#, createdDate)
    bytes.append(#","cycle":"#, cycle.rawValue)
    bytes.append(#","environment":"#, environment.rawValue)
    bytes.append(#","expiresDateUtc":"#, expiresDate)
    bytes.append(#","ftcUserId":"#, owner?.utf8.isEmpty == true ? nil : owner)
    bytes.append(#","inUse":"#, isInUse)
    bytes.append(#","lastTransactionId":"#, lastTransactionID)
    bytes.append(#","originalTransactionId":"#, originalTransactionID)
    bytes.append(#","productId":"#, productID)
    bytes.append(#","purchaseDateUtc":"#, purchaseDate)
    bytes.append(#","tier":"#, tier.rawValue)
    bytes.append(#","updatedUtc":"#, updatedDate)
    bytes.append(UInt8(ascii: "}"))
  }
}

extension SubscriptionPage {
  /// The bytes of a page: an object with the subscriptions, sorted by name as all JSON of the contract.
  func body(page: Int, length: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + 512 * subscriptions.count)
    bytes += #"{"data":["#.utf8
    for (index, subscription) in subscriptions.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      subscription.append(to: &bytes)
    }
    bytes += #"],"limit":\#(length),"page":\#(page),"total":\#(total)}"#.utf8
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ name: String, _ flag: Bool) {
    append(contentsOf: name.utf8)
    append(contentsOf: (flag ? "true" : "false").utf8)
  }

  fileprivate mutating func append(_ name: String, _ text: String?) {
    append(contentsOf: name.utf8)
    guard let text else { return append(contentsOf: "null".utf8) }
    JSONValue.append(text, to: &self)
  }

  fileprivate mutating func append(_ name: String, _ date: Date?) {
    append(contentsOf: name.utf8)
    guard let date else { return append(contentsOf: "null".utf8) }
    append(UInt8(ascii: "\""))
    Moment(date).append(as: .rfc3339, to: &self)
    append(UInt8(ascii: "\""))
  }
}
