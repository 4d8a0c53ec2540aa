internal import StorekeeperCrypto
internal import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct AppReceiptEncoder {
  private var receipt: AppReceipt

  init(_ receipt: AppReceipt) {
    self.receipt = receipt
    self.receipt.bundleIDValue = DER.text(receipt.bundleID)
  }

  /// Computes the hash that binds the receipt to a device.
  mutating func makeHash(for deviceIdentifier: [UInt8]) throws {
    if receipt.opaqueValue.isEmpty { receipt.opaqueValue = try SecureRandom.bytes(count: 16) }
    receipt.sha1Hash = try SHA1.digest(
      of: deviceIdentifier + receipt.opaqueValue + receipt.bundleIDValue)
  }

  var bytes: [UInt8] {
    var set = AttributeSet()
    set.add(0, DER.text(receipt.receiptType.rawValue))
    set.add(1, receipt.appItemID.map(DER.integer))
    set.add(2, receipt.bundleIDValue)
    set.add(3, receipt.applicationVersion.map(DER.text))
    set.add(4, receipt.opaqueValue)
    set.add(5, receipt.sha1Hash)
    set.add(10, receipt.ageRating.map(DER.plainText))
    set.add(11, receipt.developerID.map(DER.integer))
    set.add(12, DER.date(receipt.creationDate))
    set.add(15, receipt.downloadID.map(DER.integer))
    set.add(16, receipt.versionExternalIdentifier.map(DER.integer))
    for purchase in receipt.purchases { set.add(17, Self.bytes(purchase)) }
    set.add(18, DER.date(receipt.originalPurchaseDate))
    set.add(19, receipt.originalApplicationVersion.map(DER.text))
    set.add(21, receipt.expirationDate.map(DER.date))
    set.add(others: receipt.attributes)
    return set.bytes
  }

  private static func bytes(_ purchase: AppReceipt.Purchase) -> [UInt8] {
    var set = AttributeSet()
    set.add(1701, purchase.quantity.map(DER.integer))
    set.add(1702, purchase.productID.map(DER.text))
    set.add(1703, purchase.transactionID.map(DER.text))
    set.add(1704, DER.date(purchase.purchaseDate))
    set.add(1705, purchase.originalTransactionID.map(DER.text))
    set.add(1706, DER.date(purchase.originalPurchaseDate))
    set.add(1707, (purchase.productType?.rawValue).map(DER.integer))
    set.add(1708, DER.date(purchase.expiresDate))
    set.add(1710, purchase.itemID.map(DER.integer))
    set.add(1711, DER.integer(purchase.webOrderLineItemID ?? 0))
    set.add(1712, DER.date(purchase.cancellationDate))
    set.add(1713, purchase.isTrialPeriod.map { DER.integer($0 ? 1 : 0) })
    set.add(1719, purchase.isInIntroOfferPeriod.map { DER.integer($0 ? 1 : 0) })
    set.add(1721, purchase.promotionalOfferID.map(DER.text))
    set.add(1722, purchase.ownershipCode.map(DER.integer))
    set.add(others: purchase.attributes)
    return set.bytes
  }
}

private struct AttributeSet {
  private var content: [UInt8] = []
  private var types: Set<Int> = []

  var bytes: [UInt8] { DER.value(.set, content) }

  mutating func add(_ type: Int, version: Int = 1, _ value: [UInt8]?) {
    guard let value else { return }
    types.insert(type)
    content += DER.value(
      .sequence, DER.integer(type) + DER.integer(version) + DER.value(.octetString, value))
  }

  /// Adds the attributes whose types are not in the set yet.
  mutating func add(others: [AppReceipt.Attribute]) {
    let present = types
    for attribute in others where !present.contains(attribute.type) && attribute.type != 17 {
      add(attribute.type, version: attribute.version, attribute.value)
    }
  }
}

/// The encoding of DER values (X.690 section 10).
private enum DER {
  static func value(_ tag: DERTag, _ content: [UInt8]) -> [UInt8] {
    DERHeader(tag, length: content.count).bytes + content
  }

  static func integer(_ value: Int) -> [UInt8] {
    var digits = (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    // The shortest form keeps the sign.
    while digits.count > 1, digits[0] == (digits[1] < 0x80 ? 0 : 0xFF) { digits.removeFirst() }
    return Self.value(.integer, digits)
  }

  static func text(_ text: String) -> [UInt8] { value(.utf8String, Array(text.utf8)) }
  static func plainText(_ text: String) -> [UInt8] { value(.ia5String, Array(text.utf8)) }

  /// Returns a date in UTC (RFC 3339), or an empty string for nil, as in Apple's receipts.
  static func date(_ date: Date?) -> [UInt8] { plainText(date?.formatted(.iso8601) ?? "") }
}
