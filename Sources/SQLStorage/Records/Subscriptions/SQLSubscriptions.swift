internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLSubscriptions: SubscriptionRepository {
  let session: SQLSession

  func find(_ originalTransactionIDs: [String]) async throws -> [StoredSubscription] {
    try await session.query(.findSubscriptions, ids: originalTransactionIDs)
      .map(StoredSubscription.init(row:))
  }

  func find(
    _ originalTransactionIDs: [String], inserting new: [Subscription], asOf: Date, now: Date
  ) async throws -> [StoredSubscription] {
    let calls = calls(originalTransactionIDs, inserting: new, asOf: asOf, now: now)
    if calls.count > 1 { session.kept.forgetWhatRestsOnSubscriptions() }
    try await session.execute(.insertSubscription, each: calls.dropLast().map(\.values))
    return try await find(originalTransactionIDs)
  }

  /// The insertions of rows that are not known to be stored, then the query for all of them; none if its answer is
  /// kept and has them all.
  ///
  /// The renewals of `told` are replaced afterwards.
  func calls(
    _ originalTransactionIDs: [String], inserting new: [Subscription], told: Set<String> = [],
    asOf: Date, now: Date
  ) -> [SQLCall] {
    guard let query = session.call(.findSubscriptions, ids: originalTransactionIDs) else {
      return []
    }
    let stored = session.kept.rows(of: query.statement, query.values).map { rows in
      Set(rows.map { StoredSubscription(row: $0).subscription.originalTransactionID })
    }
    let missing = new.filter { stored?.contains($0.originalTransactionID) != true }
    guard stored == nil || !missing.isEmpty else { return [] }
    return missing.flatMap { insertion(of: $0, told: told, asOf: asOf, now: now) } + [query]
  }

  private func insertion(
    of subscription: Subscription, told: Set<String>, asOf: Date, now: Date
  ) -> [SQLCall] {
    let row = subscription.row(asOf: asOf, now: now)
    guard told.contains(subscription.originalTransactionID) else {
      return [SQLCall(.insertSubscription, row)]
    }
    let insertion = SQLCall(.insertToldSubscription, row)
    guard session.connection.dialect == .mariadb else { return [insertion] }
    return [insertion, SQLCall(.insertedSubscription, Array(row.prefix(2)))]
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws {
    try await session.run(.saveSubscription, subscription.row(asOf: asOf, now: now))
  }

  func setOwner(
    _ owner: AccountID?, of originalTransactionID: String, now: Date
  ) async throws {
    try await session.run(.setOwner, [.text(originalTransactionID), .name(owner), .seconds(now)])
  }

  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage {
    let total = try await session.query(.countSubscriptions, [.name(owner)])
    let rows = try await session.query(
      .listSubscriptions, [.name(owner), .number(max(limit, 0)), .number(max(offset, 0))])
    return SubscriptionPage(
      total: total.first?.first?.number ?? 0,
      subscriptions: rows.map { StoredSubscription(row: $0).subscription })
  }

  func list(after id: String?, limit: Int) async throws -> [ReceiptCursor] {
    let rows = try await session.query(
      .allSubscriptions, [.text(id ?? ""), .number(max(limit, 0))])
    return rows.map { row in
      var reader = SQLRowReader(row)
      return ReceiptCursor(
        originalTransactionID: reader.text(), environment: reader.environment())
    }
  }
}

extension SQLStatement {
  static let allSubscriptions = SQLStatement(
    "subscription_all",
    """
    SELECT original_transaction_id, environment FROM apple_subscription
    WHERE original_transaction_id > $1 ORDER BY original_transaction_id LIMIT $2
    """)
}

extension SQLColumns<Subscription> {
  /// The columns of `apple_subscription` that hold what the App Store says.
  static let subscription = SQLColumns(
    Subscription(
      environment: .production, originalTransactionID: "", lastTransactionID: "", productID: "",
      purchaseDate: StoredMoment.date(seconds: 0), expiresDate: StoredMoment.date(seconds: 0),
      tier: .standard, cycle: .month, autoRenewal: false)
  ) { row, column in
    column.environment("environment", &row.environment)
    column.text("original_transaction_id", &row.originalTransactionID)
    column.text("last_transaction_id", &row.lastTransactionID)
    column.text("product_id", &row.productID)
    column.seconds("purchase_date_utc", &row.purchaseDate)
    column.seconds("expires_date_utc", &row.expiresDate)
    column.text("tier", &row.tier.rawValue)
    column.text("cycle", &row.cycle.rawValue)
    column.flag("auto_renewal", &row.autoRenewal)
  }
}

extension Subscription {
  /// The values of the statements that insert.
  fileprivate func row(asOf: Date, now: Date) -> [SQLValue] {
    SQLColumns.subscription.values(of: self, and: .seconds(now), .milliseconds(asOf))
  }
}

extension SQLSession {
  /// Whether the unit of work has inserted the row of a subscription, and no receipt since; the key is the environment
  /// and the original transaction ID.
  func hasInsertedSubscription(_ key: [SQLValue]) -> Bool {
    kept.row(of: [.insertToldSubscription, .insertedSubscription]) { $0 == key } != nil
  }

  /// Whether the kept row of a subscription says that somebody has told about its renewal, and the same about a
  /// billing retry.
  func hasSubscription(_ key: [SQLValue], notingRetry isInBillingRetry: Bool) -> Bool {
    let find = ListStatement.findSubscriptions
    let statements = find.used(connection.dialect).map(choose)
    guard let row = kept.row(of: statements, where: { $0.starts(with: key) }) else { return false }
    // The last columns are the retry, whether somebody has told, and a stamp.
    return row.suffix(3).prefix(2).elementsEqual([.flag(isInBillingRetry), .flag(true)])
  }
}

extension StoredSubscription {
  /// Reads a row of `subscription_find`: the columns, the dates, the owner, the stamp, and whether a
  /// membership uses the subscription; what follows is for other statements.
  init(row: SQLRow) {
    let columns = SQLColumns.subscription
    var subscription = columns.row(row)
    var reader = SQLRowReader(row, from: columns.count)
    subscription.createdDate = reader.seconds()
    subscription.updatedDate = reader.seconds()
    subscription.owner = reader.accountID()
    let asOf = reader.milliseconds() ?? StoredMoment.date(seconds: 0)
    subscription.isInUse = reader.flag() ?? false
    self.init(subscription: subscription, asOf: asOf)
  }
}
