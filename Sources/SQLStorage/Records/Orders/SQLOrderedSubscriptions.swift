internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLOrderedSubscriptions: OrderedSubscriptionRepository {
  let session: SQLSession

  func find(_ userID: AccountID) async throws -> OrderedSubscription? {
    try await session.query(calls(userID)).last?.first.map(OrderedSubscription.init(row:))
  }

  /// The queries for the subscription of a user, of which the last one finds it.
  ///
  /// In MariaDB no lock of the table keeps others from replacing the levels meanwhile.
  func calls(_ userID: AccountID) -> [SQLCall] {
    let isShared = session.locks && session.connection.dialect == .mariadb
    return (isShared ? [SQLCall(.shareLevels, [])] : []) + [call(userID)]
  }

  /// The query for the subscription of a user.
  private func call(_ userID: AccountID) -> SQLCall {
    SQLCall(session.choose(.findOrderedSubscription), [.name(userID)])
  }

  func add(_ subscription: OrderedSubscription) async throws -> Bool {
    let call = call(subscription.userID)
    if session.kept.rows(of: call.statement, call.values)?.isEmpty == true {
      try await session.run(.insertOrderedSubscription, subscription.values)
      return true
    }
    return try await session.execute(.addOrderedSubscription, subscription.values) == 1
  }

  func save(_ subscription: OrderedSubscription) async throws {
    try await session.run(.saveOrderedSubscription, subscription.values)
  }

  func remove(_ userID: AccountID) async throws -> Bool {
    try await session.execute(.removeOrderedSubscription, [.name(userID)]) == 1
  }

  func levelNames() async throws -> [String] {
    if session.locks { try await session.run(.lockOrderedSubscriptions, []) }
    return try await session.query(.orderedLevelNames, []).compactMap(\.first?.name)
  }
}

extension OrderedSubscription {
  /// Reads a row of ``SQLStatement/orderedSubscriptionColumns``.
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      userID: AccountID(stored: reader.text()), levelName: reader.text(),
      purchaseKey: PurchaseKey(
        vendor: Vendor(rawValue: reader.text()), environment: .production,
        identifier: reader.text()),
      receiptData: reader.text(),
      expiration: reader.milliseconds() ?? StoredMoment.date(seconds: 0),
      validatedDate: reader.milliseconds() ?? StoredMoment.date(seconds: 0))
    // The environment is as the vendor writes it, as in the rows of credits.
    purchaseKey = PurchaseKey(
      text: purchaseKey.identifier, vendor: vendor,
      environment: AppStoreEnvironment(rawValue: reader.text()))
  }

  fileprivate var values: [SQLValue] {
    [
      .name(userID), .text(levelName), .text(vendor.rawValue), .text(purchaseKey.text),
      .text(receiptData), .milliseconds(expiration), .milliseconds(validatedDate),
      .text(environment.rawValue),
    ]
  }
}

extension SQLStatement {
  fileprivate static let orderedSubscriptionColumns = """
    user_id, level, vendor, purchase_key, "subscriptionReceiptData", "subscriptionExpiration",
    validated_at, environment
    """

  /// For a user that had none; another unit of work that was faster is a duplicate at the end.
  static let insertOrderedSubscription = SQLStatement(
    "ordered_subscription_insert",
    """
    INSERT INTO user_subscriptions (\(orderedSubscriptionColumns))
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    """)

  private static let insertion = SQLInsertion(insertOrderedSubscription.sql, key: "user_id")

  static let addOrderedSubscription = insertion.keepingStored("ordered_subscription_add")

  static let saveOrderedSubscription = insertion.changingStored(
    "ordered_subscription_save",
    [
      "level", "vendor", "purchase_key", "\"subscriptionReceiptData\"",
      "\"subscriptionExpiration\"", "validated_at", "environment",
    ].map { .overwriting($0) })

  static let removeOrderedSubscription = SQLStatement(
    "ordered_subscription_remove", "DELETE FROM user_subscriptions WHERE user_id = $1")

  // It excludes SELECT … FOR UPDATE of others, and plain SELECT not; in MariaDB by a row that those share.
  static let lockOrderedSubscriptions = SQLStatement(
    "ordered_subscription_lock", "LOCK TABLE user_subscriptions IN EXCLUSIVE MODE",
    mariadb: "SELECT id FROM subscription_levels_lock WHERE id = 1 FOR UPDATE")

  /// For MariaDB.
  static let shareLevels = SQLStatement(
    "ordered_subscription_share",
    "SELECT id FROM subscription_levels_lock WHERE id = 1 LOCK IN SHARE MODE")

  // From one name to the next in the index, because few levels have many subscriptions; MariaDB does so by itself.
  static let orderedLevelNames = SQLStatement(
    "ordered_subscription_levels",
    """
    WITH RECURSIVE names (level) AS (
      SELECT MIN(level) FROM user_subscriptions
      UNION ALL
      SELECT (SELECT MIN(s.level) FROM user_subscriptions s WHERE s.level > names.level)
      FROM names WHERE names.level IS NOT NULL)
    SELECT level FROM names WHERE level IS NOT NULL
    """, mariadb: "SELECT level FROM user_subscriptions GROUP BY level")
}

extension LockableStatement {
  static let findOrderedSubscription = LockableStatement(
    "ordered_subscription_find",
    """
    SELECT \(SQLStatement.orderedSubscriptionColumns) FROM user_subscriptions WHERE user_id = $1
    """, lock: "FOR UPDATE")
}
