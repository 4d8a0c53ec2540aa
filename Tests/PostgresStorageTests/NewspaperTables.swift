import SQLStorage

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

/// The tables of the newspaper's server: `apple_subscription` as the contract prints it, the others as it describes
/// them, with a column of its own here and there.
enum NewspaperTables {
  #if MARIADB
    private static let (moment, day, flag) = ("DATETIME", "DATE", "BOOL")
    private static let counted = "INT UNSIGNED NOT NULL AUTO_INCREMENT"
    static let end = "ENGINE=InnoDB DEFAULT CHARSET=utf8"
    private static func words(_ list: String) -> String { "ENUM(\(list))" }
  #else
    private static let (moment, day, flag) = ("TIMESTAMP", "DATE", "BOOLEAN")
    private static let counted = "SERIAL NOT NULL"
    static let end = ""
    private static func words(_ list: String) -> String { "VARCHAR(20)" }
  #endif

  private static let environments = words("'sandbox', 'production'")

  static let subscriptions = """
    CREATE TABLE apple_subscription (
      PRIMARY KEY (id),
      id \(counted),
      environment \(environments),
      original_transaction_id VARCHAR(128) NOT NULL, UNIQUE (original_transaction_id),
      last_transaction_id VARCHAR(128),
      product_id VARCHAR(128),
      purchase_date_utc \(moment),
      expires_date_utc \(moment),
      tier \(words("'standard', 'premium'")),
      cycle \(words("'month', 'year'")),
      auto_renewal \(flag),
      updated_utc \(moment),
      created_utc \(moment),
      ftc_user_id VARCHAR(36)) \(end)
    """

  static let memberships = """
    CREATE TABLE ftc_vip (
      vip_id VARCHAR(64) NOT NULL PRIMARY KEY,
      id VARCHAR(32),
      ftc_user_id VARCHAR(36) UNIQUE,
      wx_union_id VARCHAR(64),
      vip_id_alias VARCHAR(64),
      member_tier \(words("'standard', 'premium', 'gold'")),
      billing_cycle \(words("'month', 'year'")),
      expire_date \(day),
      payment_method \(words("'alipay', 'tenpay', 'wechat', 'stripe', 'apple', 'b2b', 'gift'")),
      ftc_plan_id VARCHAR(32),
      stripe_subscription_id VARCHAR(64),
      stripe_plan_id VARCHAR(64),
      b2b_licence_id VARCHAR(64),
      auto_renewal \(flag) NOT NULL DEFAULT \(flag == "BOOL" ? "0" : "FALSE"),
      sub_status VARCHAR(32),
      apple_subscription_id VARCHAR(64),
      vip_type INT,
      expire_time INT,
      note VARCHAR(200)) \(end)
    """

  static let snapshots = """
    CREATE TABLE member_snapshot (
      id VARCHAR(36) NOT NULL PRIMARY KEY,
      created_by VARCHAR(64),
      created_utc \(moment),
      order_id VARCHAR(64),
      compound_id VARCHAR(64) NOT NULL,
      ftc_user_id VARCHAR(36),
      wx_union_id VARCHAR(64),
      tier \(words("'standard', 'premium'")),
      cycle \(words("'month', 'year'")),
      expire_date \(day),
      payment_method VARCHAR(20),
      ftc_plan_id VARCHAR(32),
      stripe_subscription_id VARCHAR(64),
      stripe_plan_id VARCHAR(64),
      auto_renewal \(flag),
      sub_status VARCHAR(32),
      apple_subscription_id VARCHAR(64),
      b2b_licence_id VARCHAR(64)) \(end)
    """

  /// In `file_store`.
  static let receipts = """
    CREATE TABLE apple_receipt (
      original_transaction_id VARCHAR(64) NOT NULL,
      environment \(environments) NOT NULL,
      receipt \(flag == "BOOL" ? "MEDIUMTEXT" : "TEXT") NOT NULL,
      created_utc \(moment),
      PRIMARY KEY (original_transaction_id, environment)) \(end)
    """

  static let claims = """
    CREATE TABLE register_bonus_claims (
      id \(counted) PRIMARY KEY,
      email_identity VARCHAR(200) NOT NULL,
      user_id VARCHAR(64),
      has_purchased_starter_pack \(flag) NOT NULL DEFAULT \(flag == "BOOL" ? "0" : "FALSE"),
      starter_transaction_id VARCHAR(64),
      starter_purchased_at \(moment),
      bonus INT NOT NULL DEFAULT 20) \(end)
    """

  static let all = [subscriptions, memberships, snapshots, receipts, claims]

  // MARK: Rows

  static let rows = subscriptionRows + membershipRows + otherRows

  /// A subscription in use, an expired one without an owner, and one of which nobody noted more than its number.
  static let subscriptionRows = [
    """
    INSERT INTO apple_subscription (id, environment, original_transaction_id, last_transaction_id,
      product_id, purchase_date_utc, expires_date_utc, tier, cycle, auto_renewal, updated_utc,
      created_utc, ftc_user_id)
    VALUES
      (11, 'production', '1001', '1009', 'monthly', '2030-01-01 00:00:00', '2030-02-01 00:00:01',
        'standard', 'month', TRUE, '2030-01-02 03:04:05', '2029-01-02 03:04:05', 'reader-1'),
      (12, 'sandbox', '1002', '1002', 'yearly', '2020-01-25 00:19:53', '2020-01-25 00:24:53',
        'premium', 'year', FALSE, '2020-09-18 01:20:06', '2020-09-15 04:04:16', NULL),
      (17, 'production', '1003', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
    """
  ]

  /// Memberships of Apple, WeChat, Stripe, a company and customer service, one of a word that nobody knows, and one
  /// of the oldest program.
  static let membershipRows = [
    """
    INSERT INTO ftc_vip (vip_id, id, ftc_user_id, wx_union_id, vip_id_alias, member_tier,
      billing_cycle, expire_date, payment_method, stripe_subscription_id, b2b_licence_id,
      auto_renewal, sub_status, apple_subscription_id, vip_type, expire_time, note)
    VALUES
      ('reader-1', 'mmb_1', 'reader-1', NULL, NULL, 'standard', 'month', '2030-02-01', 'apple',
        NULL, NULL, TRUE, NULL, '1001', 10, 1896220799, NULL),
      ('union-2', NULL, NULL, 'union-2', 'union-2', 'premium', 'year', '2031-01-31', 'tenpay',
        NULL, '', FALSE, NULL, '', 100, 1927673999, 'paid at the fair'),
      ('reader-3', NULL, 'reader-3', '', NULL, 'standard', 'year', '2030-03-01', 'stripe',
        'sub_3', NULL, TRUE, 'active', NULL, 10, 1898639999, NULL),
      ('reader-4', NULL, 'reader-4', '', NULL, 'standard', 'year', '2030-04-01', NULL,
        NULL, NULL, FALSE, NULL, NULL, NULL, NULL, 'by the hotline'),
      ('reader-5', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, FALSE, NULL, NULL, 10, 1896220799, NULL),
      ('reader-6', NULL, 'reader-6', NULL, NULL, 'gold', 'year', '2030-05-01', 'gift',
        NULL, 'licence-6', FALSE, 'paused', NULL, 0, 1903910399, NULL)
    """
  ]

  static let otherRows = [
    """
    INSERT INTO member_snapshot (id, created_by, created_utc, compound_id, ftc_user_id, tier, cycle,
      expire_date, payment_method, auto_renewal, apple_subscription_id)
    VALUES ('snp_1', 'apple.link', '2030-01-02 03:04:05', 'reader-1', 'reader-1', 'standard',
      'month', '2030-01-01', 'apple', NULL, '1001')
    """,
    """
    INSERT INTO apple_receipt (original_transaction_id, environment, receipt, created_utc)
    VALUES ('1001', 'production', 'cmVjZWlwdA==', '2030-01-02 03:04:05')
    """,
    """
    INSERT INTO register_bonus_claims (id, email_identity, user_id, has_purchased_starter_pack,
      starter_transaction_id, starter_purchased_at, bonus)
    VALUES (5, 'one@example.com', 'reader-1', TRUE, '2001', '2030-01-02 03:04:05', 20),
      (6, 'two@example.com', NULL, FALSE, NULL, NULL, 30)
    """,
  ]
}

extension TestDatabase {
  /// Runs statements before any store is opened.
  func prepare(_ statements: [String]) async throws {
    let store = try store()
    try await store.perform(.writing) { connection in
      for statement in statements { try await connection.run(statement) }
    }
    await store.close()
  }

  /// The rows of a statement, without a store: values with spaces between them, and `-` for null.
  func rows(_ sql: String) async throws -> [String] {
    let store = try store()
    let rows = try await store.perform(.reading) { try await $0.run(sql) }
    await store.close()
    return rows.map { $0.map(\.shown).joined(separator: " ") }
  }
}

extension SQLValue {
  fileprivate var shown: String {
    switch self {
    case .null: "-"
    case .integer(let number): "\(number)"
    case .text(let text): text
    }
  }
}
