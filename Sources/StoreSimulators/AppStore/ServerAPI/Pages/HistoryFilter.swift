internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The filters of a transaction history.
struct HistoryFilter {
  private var start: Date?
  private var end: Date?
  private var products: Set<String> = []
  private var types: Set<String> = []
  private var groups: Set<String> = []
  private var ownership: String?
  private var revoked: Bool?
  let isDescending: Bool
  /// The filters as a text, equal for requests that mean the same.
  let key: String

  init(_ call: ServerAPICall) throws(ServerAPIRefusal) {
    start = try Self.date(call.value("startDate"), or: 4_000_015)
    end = try Self.date(call.value("endDate"), or: 4_000_016)
    if let start, let end, end <= start { throw ServerAPIRefusal(4_000_016) }
    products = try Self.texts(call.values("productId"), or: 4_000_023) { !$0.isEmpty }
    types = try Self.texts(call.values("productType"), or: 4_000_022) { Self.kinds.contains($0) }
    groups = try Self.texts(call.values("subscriptionGroupIdentifier"), or: 4_000_024) {
      !$0.isEmpty
    }
    ownership = try Self.texts(call.values("inAppOwnershipType"), or: 4_000_026) {
      ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"].contains($0)
    }.first
    revoked = try Self.flag(call.value("revoked"), or: 4_000_030)
    // The older form of the filter, which Apple still reads.
    if try Self.flag(call.value("excludeRevoked"), or: 4_000_025) == true { revoked = false }
    let sort = try Self.texts(call.values("sort"), or: 4_000_021) {
      ["ASCENDING", "DESCENDING"].contains($0)
    }
    isDescending = sort == ["DESCENDING"]
    key = call.target.query.filter { $0.name != "revision" }
      .map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "&")
  }

  private static let kinds: Set<String> = [
    "AUTO_RENEWABLE", "NON_RENEWABLE", "CONSUMABLE", "NON_CONSUMABLE",
  ]

  func includes(_ transaction: SimulatedTransaction) -> Bool {
    if let start, transaction.purchaseDate < start { return false }
    if let end, transaction.purchaseDate >= end { return false }
    if !products.isEmpty, !products.contains(transaction.product.id) { return false }
    if !types.isEmpty, !types.contains(Self.kind(of: transaction)) { return false }
    if !groups.isEmpty, !groups.contains(transaction.group ?? "") { return false }
    if let ownership, transaction.ownership.rawValue != ownership { return false }
    if let revoked, (transaction.cancellationDate != nil) != revoked { return false }
    return true
  }

  private static func kind(of transaction: SimulatedTransaction) -> String {
    switch transaction.product.kind {
    case .consumable: "CONSUMABLE"
    case .nonConsumable: "NON_CONSUMABLE"
    case .nonRenewing: "NON_RENEWABLE"
    case .autoRenewable: "AUTO_RENEWABLE"
    }
  }

  // MARK: Parameters

  /// Reads a moment in whole milliseconds.
  private static func date(_ text: String?, or code: Int) throws(ServerAPIRefusal) -> Date? {
    guard let text else { return nil }
    guard let number = Int(text), number >= 0 else { throw ServerAPIRefusal(code) }
    return Date(timeIntervalSince1970: Double(number) / 1000)
  }

  private static func texts(
    _ texts: [String], or code: Int, _ isValid: (String) -> Bool
  ) throws(ServerAPIRefusal) -> Set<String> {
    guard texts.allSatisfy(isValid) else { throw ServerAPIRefusal(code) }
    return Set(texts)
  }

  private static func flag(_ text: String?, or code: Int) throws(ServerAPIRefusal) -> Bool? {
    guard let text else { return nil }
    // Apple's own client for Python writes True and False.
    guard let flag = Bool(text.lowercased()) else { throw ServerAPIRefusal(code) }
    return flag
  }
}
