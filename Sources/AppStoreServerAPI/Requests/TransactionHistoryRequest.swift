internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The filters and the order of a customer's transaction history.
///
/// Values of one list are alternatives, and all filters have to be met. Each page repeats the same
/// filters. Source: Apple, `Get Transaction History`.
public struct TransactionHistoryRequest: Hashable, Sendable {
  public var startDate: Date?
  /// The date before which the purchase was made, which may be in the future.
  public var endDate: Date?
  /// The products; empty for all.
  public var productIDs: [String] = []
  /// The product types; empty for all.
  public var productTypes: [HistoryProductType] = []
  /// The subscription groups; empty for all.
  public var subscriptionGroupIdentifiers: [String] = []
  public var inAppOwnershipType: InAppOwnershipType?
  /// Whether to ask for revoked transactions only, or only for those that are not revoked.
  public var revoked: Bool?
  /// The order, by default ascending.
  public var sort: HistorySort?

  /// Creates a question about all transactions.
  public init() {}

  /// Whether there is no filter and the order is ascending, so that the revision of the last page
  /// may be kept for the next time.
  package var keepsRevision: Bool {
    var unsorted = self
    unsorted.sort = nil
    return unsorted == TransactionHistoryRequest() && sort != .descending
  }

  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    if let startDate { try RequestCheck.milliseconds(startDate, "startDate") }
    if let endDate { try RequestCheck.milliseconds(endDate, "endDate") }
    if let startDate, let endDate {
      try RequestCheck.window(startDate, "startDate", endDate, "endDate")
    }
    for productID in productIDs { try RequestCheck.notEmpty(productID, "productId") }
    for type in productTypes { try RequestCheck.known(type, "productType") }
    for group in subscriptionGroupIdentifiers {
      try RequestCheck.notEmpty(group, "subscriptionGroupIdentifier")
    }
    try RequestCheck.known(inAppOwnershipType, "inAppOwnershipType")
    try RequestCheck.known(sort, "sort")
  }

  /// Returns the names and values of the query, not percent-encoded, in the order of Apple's
  /// documentation.
  package func queryItems(revision: String?) -> [(String, String)] {
    var items: [(String, String)] = []
    if let revision { items.append(("revision", revision)) }
    if let startDate { items.append(("startDate", Self.text(startDate))) }
    if let endDate { items.append(("endDate", Self.text(endDate))) }
    items += productIDs.map { ("productId", $0) }
    items += productTypes.map { ("productType", $0.rawValue) }
    items += subscriptionGroupIdentifiers.map { ("subscriptionGroupIdentifier", $0) }
    if let inAppOwnershipType {
      items.append(("inAppOwnershipType", inAppOwnershipType.rawValue))
    }
    if let revoked { items.append(("revoked", revoked ? "true" : "false")) }
    if let sort { items.append(("sort", sort.rawValue)) }
    return items
  }

  private static func text(_ date: Date) -> String {
    String(decoding: date.json.serialized, as: UTF8.self)
  }
}
