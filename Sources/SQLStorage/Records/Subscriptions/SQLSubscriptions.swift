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
    let rows = new.map { $0.row(asOf: asOf, now: now) }
    try await session.execute(.insertSubscription, each: rows)
    return try await find(originalTransactionIDs)
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

extension StoredSubscription {
  /// Reads a row of `subscription_find`: the columns, the dates, the owner, the stamp, and whether a
  /// membership uses the subscription.
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
