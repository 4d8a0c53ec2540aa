internal import JSONValues
internal import ReceiptModels
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A page of transactions in the order of their changes, and the revision behind it.
struct RevisionPage {
  let transactions: [SimulatedTransaction]
  let hasMore: Bool
  let revision: String

  /// Cuts the next page.
  ///
  /// A revision holds whose page it was, with which filters, and the last change that it had; so one
  /// that is kept finds later what is new or has changed.
  ///
  /// - Parameters:
  ///   - transactions: All that match the filters, in any order.
  ///   - scope: The limits within which a revision counts: the call, the customer and the filters.
  ///   - isDescending: Whether the newest changes come first.
  ///   - call: The request, with the revision of the page before.
  /// - Throws: ``ServerAPIRefusal`` for a revision of something else, or an error of OpenSSL.
  init(
    of transactions: [SimulatedTransaction], scope: String, isDescending: Bool = false,
    for call: ServerAPICall
  ) throws {
    var position = isDescending ? Int.max : 0
    if let token = call.value("revision") {
      guard let members = call.tokens.open(token), members["scope"] == .string(scope),
        let last = members["position"]?.whole
      else { throw ServerAPIRefusal(4_000_005) }
      position = last
    }
    let rest =
      transactions
      .filter { isDescending ? $0.modified < position : $0.modified > position }
      .sorted { isDescending ? $0.modified > $1.modified : $0.modified < $1.modified }
    let size = min(max(call.settings.pageSize, 1), 20)
    self.transactions = Array(rest.prefix(size))
    hasMore = rest.count > size
    revision = try call.tokens.seal([
      "scope": .string(scope),
      "position": .integer(self.transactions.last?.modified ?? position),
    ])
  }

  /// The members of an answer with the page.
  func members(signedBy call: ServerAPICall) throws -> [String: JSONValue] {
    [
      "revision": .string(revision), "hasMore": .boolean(hasMore),
      "signedTransactions": try call.signed(transactions),
    ]
  }
}

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

/// The simulator's own tokens: revisions and pagination tokens, which nobody else can read or make.
///
/// They have the characters `+`, `/` and `=`, so that a client that does not escape them fails.
struct SealedToken {
  let secret: [UInt8]

  /// Returns a token that holds some values.
  func seal(_ members: [String: JSONValue]) throws -> String {
    let content = JSONValue.object(members).serialized
    // The prefix becomes "++//" in the token.
    return Base64.encode([0xFB, 0xEF, 0xFF] + [0xC0] + (try mark(content)) + content, .standard)
  }

  /// Returns the values of a token; nil if it is not one of this simulator.
  func open(_ token: String) -> JSONValue? {
    guard let bytes = Base64.decode(Array(token.utf8)[...], .standard), bytes.count > 20,
      let mark = try? mark(Array(bytes[20...])), Array(bytes[4..<20]) == mark
    else { return nil }
    return try? JSONValue(parsing: Array(bytes[20...]))
  }

  private func mark(_ content: [UInt8]) throws -> [UInt8] {
    Array(try SHA256.digest(of: secret + content).prefix(16))
  }
}
