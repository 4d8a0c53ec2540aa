// The tables of orders. Moments are in milliseconds; a fee is a text of digits, because no number of SQLite is
// decimal. Two columns have the names of the seed.
//
// Source: entitlement rules, section 12.
extension SQLCapability {
  static func orderTables(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE subscription_levels (
        name \(types.id) NOT NULL \(types.key("subscription_levels_key")),
        description \(types.text) NOT NULL,
        portfolio_limit \(types.int) NOT NULL,
        fee \(types.text) NOT NULL,
        apple_product_id \(types.id)\(
        types.unique("subscription_levels_apple_product_id", after: "\n    ")),
        google_product_id \(types.id)\(
        types.unique("subscription_levels_google_product_id", after: "\n    ")))\(
        types.keyed)
      """,
      """
      CREATE TABLE user_subscriptions (
        user_id \(types.user) NOT NULL \(types.key("user_subscriptions_key")),
        level \(types.id) NOT NULL,
        vendor \(types.word) NOT NULL,
        purchase_key \(types.id) NOT NULL,
        "subscriptionReceiptData" \(types.long) NOT NULL,
        "subscriptionExpiration" \(types.int) NOT NULL,
        validated_at \(types.int) NOT NULL)
      """,
      """
      CREATE TABLE subscription_claims (
        vendor \(types.word) NOT NULL,
        purchase_key \(types.id) NOT NULL,
        user_id \(types.user) NOT NULL,
        CONSTRAINT subscription_claims_key PRIMARY KEY (purchase_key, vendor))\(types.keyed)
      """,
      // Ours: Pub/Sub may push a message again.
      """
      CREATE TABLE google_push_messages (
        message_id \(types.id) NOT NULL \(types.key("google_push_messages_key")),
        created_ms \(types.int) NOT NULL)\(types.keyed)
      """,
      """
      CREATE INDEX google_push_messages_created_ms
        ON google_push_messages (created_ms, message_id)
      """,
    ] + types.uniqueIndices(["apple_product_id", "google_product_id"], of: "subscription_levels")
      + (types.dialect == .mariadb ? levelsLock : [])
  }

  // In MariaDB, who replaces the levels locks this row, and those who write subscriptions share it.
  private static let levelsLock = [
    "CREATE TABLE subscription_levels_lock (id SMALLINT NOT NULL PRIMARY KEY)",
    "INSERT IGNORE INTO subscription_levels_lock (id) VALUES (1)",
  ]

  // Apple's purchase keys begin with the environment. Of Google's purchases nothing tells it afterwards, so those
  // count as paid for until Google is asked again.
  static func orderEnvironments(_ types: SQLTypes) -> [String] {
    [
      """
      ALTER TABLE user_subscriptions
        ADD COLUMN environment \(types.text) NOT NULL DEFAULT 'Production'
      """,
      """
      UPDATE user_subscriptions SET environment = 'Sandbox'
        WHERE vendor = 'apple' AND purchase_key LIKE 'sandbox:%'
      """,
    ]
  }
}
