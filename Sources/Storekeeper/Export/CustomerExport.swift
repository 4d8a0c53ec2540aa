public import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

/// An export of everything that a database knows about customers, for another system.
///
/// ```swift
/// try await CustomerExport(shop).run { line in
///   output.write(String(decoding: line.serialized, as: UTF8.self))
/// }
/// ```
///
/// Each line is one JSON object, whose `kind` is `purchase`, `conflict`, `acquired`, `dispute`, `creditPurchase`,
/// `creditAccount`, `creditEntry` or `supportAct`; the guide "Moving in, and out" lists their members. Conflicts follow the purchase
/// that they are about, and acquired products the first purchase of their user in the app; the others come in this order
/// behind all purchases. Rows are read page by page, each
/// in a unit of work of its own, so that the export needs little memory, and tells of changes meanwhile or not.
/// Memberships are those that rest on a purchase; all others are the host's own.
public struct CustomerExport: Sendable {
  public let context: PurchaseContext
  /// Whether purchases have their receipt or purchase token, which lets whoever reads it ask the store about them.
  public var includesEvidence = false
  /// The number of rows that are read at a time.
  public var pageSize = 100

  /// Creates an export.
  public init(_ context: PurchaseContext) { self.context = context }

  /// Hands over all lines, and returns their number.
  ///
  /// - Throws: An error of `write`, of the database, or `CancellationError`.
  @discardableResult
  public func run(_ write: (JSONValue) async throws -> Void) async throws -> Int {
    var count = 0
    func hand(_ lines: [JSONValue]) async throws {
      try Task.checkCancellation()
      for line in lines { try await write(line) }
      count += lines.count
    }
    let limit = max(1, pageSize)
    let capabilities = context.store.capabilities
    var purchase: ReceiptCursor?
    while true {
      let after = purchase
      let keys = try await context.store.read { records in
        try await records.purchases.purchases(after: after, limit: limit)
      }
      guard let last = keys.last else { break }
      for key in keys { try await hand(try await lines(about: key)) }
      purchase = last
    }
    if capabilities.contains(.subscriptions) {
      try await tellSubscriptions(limit, hand)
      try await tellDisputes(limit, hand)
    }
    if capabilities.contains(.credits) { try await tellCredits(limit, hand) }
    try await tellActs(limit, hand)
    return count
  }

  /// Tells of the purchases of which only the subscription is known, as the host brought it along.
  private func tellSubscriptions(
    _ limit: Int, _ hand: ([JSONValue]) async throws -> Void
  ) async throws {
    var reached: String?
    while true {
      let after = reached
      let (last, untold) = try await context.store.read { records in
        let keys = try await records.storedSubscriptions.list(after: after, limit: limit)
        var told: Set<ReceiptCursor> = []
        for (environment, group) in Dictionary(grouping: keys, by: \.environment) {
          let transactions = try await records.purchases.transactions(
            of: group.map(\.originalTransactionID), environment: environment)
          told.formUnion(
            transactions.map {
              ReceiptCursor(
                originalTransactionID: $0.originalTransactionID, environment: environment)
            })
        }
        return (keys.last, keys.filter { !told.contains($0) })
      }
      guard let last else { return }
      for key in untold { try await hand(try await lines(about: key)) }
      reached = last.originalTransactionID
    }
  }

  private func tellDisputes(
    _ limit: Int, _ hand: ([JSONValue]) async throws -> Void
  ) async throws {
    try await tell(\.exported, after: \.number, hand) { records, number in
      try await records.memberships.disputes(DisputeQuery(after: number ?? 0), limit: limit)
    }
  }

  private func tellCredits(
    _ limit: Int, _ hand: ([JSONValue]) async throws -> Void
  ) async throws {
    try await tell(\.exported, after: \.id, hand) { records, number in
      try await records.creditTransactions.transactions(after: number, limit: limit)
    }
    try await tell(\.exported, after: \.userID, hand) { records, user in
      try await records.ledgerAudit.accounts(after: user, through: nil, limit: limit)
    }
    try await tell(\.exported, after: \.place, hand) { records, place in
      try await records.ledgerAudit.entries(of: nil, after: place, limit: limit)
    }
  }

  /// Tells what support did by hand, the newest first, where the store keeps it.
  private func tellActs(
    _ limit: Int, _ hand: ([JSONValue]) async throws -> Void
  ) async throws {
    try await tell(\.exported, after: \.number, hand) { records, number in
      try await records.common.acts?.acts(about: nil, before: number, limit: limit) ?? []
    }
  }

  /// Hands over the rows of one kind page by page, each page behind the place of the last row before.
  private func tell<Row: Sendable, Place: Sendable>(
    _ exported: (Row) -> JSONValue, after place: (Row) -> Place?,
    _ hand: ([JSONValue]) async throws -> Void,
    reading read: @escaping @Sendable (UnitOfWork, Place?) async throws -> [Row]
  ) async throws {
    var reached: Place?
    while true {
      let after = reached
      let page = try await context.store.read { try await read($0, after) }
      guard let last = page.last.flatMap(place) else { return }
      try await hand(page.map(exported))
      reached = last
    }
  }

  private func lines(about key: ReceiptCursor) async throws -> [JSONValue] {
    let (id, environment) = (key.originalTransactionID, key.environment)
    let includesEvidence = includesEvidence
    return try await context.store.read { records in
      var members: [String: JSONValue] = [
        "kind": .string("purchase"), "originalTransactionId": .string(id),
        "environment": .string(environment.rawValue),
        "vendor": .string(TransactionIDs.vendor(of: id).rawValue),
      ]
      let transactions = try await records.purchases.transactions(
        of: [id], environment: environment)
      members["transactions"] = .array(
        transactions.sorted { $0.transactionID < $1.transactionID }.map(\.exported))
      let renewals = try await records.purchases.renewals(of: [id], environment: environment)
      members["renewals"] = .array(
        renewals.sorted { ($0.productID ?? "") < ($1.productID ?? "") }.map(\.exported))
      if records.subscriptions != nil {
        let found = try await records.find([id], account: nil)
        members["subscription"] = found.subscriptions.first?.subscription.exported ?? .null
        members["membership"] =
          found.memberships.first { $0.isIAP && $0.originalTransactionID == id }?.exported
          ?? .null
      }
      var others: [JSONValue] = []
      if records.entitlements != nil {
        let associations = try await records.associations.find([id], environment: environment)
        members["associations"] = .array(associations.map(\.exported))
        others = try await records.associations.conflicts(about: id).map(\.exported)
        for association in associations {
          others += try await Self.acquired(with: association, in: records)
        }
      }
      if records.orders != nil {
        let owner =
          try await records.subscriptionClaims.owners(of: [
            PurchaseKey(originalTransactionID: id, environment: environment)
          ]).first ?? nil
        members["orderedBy"] = owner.map { .string($0.rawValue) } ?? .null
      }
      if includesEvidence {
        let receipt = try await records.purchases.receipt(of: id, environment: environment)
        members["evidence"] = receipt.map { .string($0.receipt) } ?? .null
      }
      return [.object(members)] + others
    }
  }

  /// Returns the products that a user acquired in the app of a purchase, if it is the user's first one there.
  private static func acquired(
    with association: PurchaseAssociation, in records: UnitOfWork
  ) async throws -> [JSONValue] {
    let (user, app) = (association.userID, association.bundleID)
    let all = try await records.associations.associations(of: user, in: [app])
    let first = all.min {
      ($0.environment.rawValue, $0.originalTransactionID)
        < ($1.environment.rawValue, $1.originalTransactionID)
    }
    guard first?.key == association.key else { return [] }
    return try await records.acquisitions.products(of: user, in: app).map {
      $0.exported(for: user, in: app)
    }
  }
}
