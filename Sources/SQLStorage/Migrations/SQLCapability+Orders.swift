// The tables of orders. Moments are in milliseconds; a fee is a text of digits, because no number of SQLite is
// decimal. Two columns have the names of the seed.
//
// Source: entitlement rules, section 12.
extension SQLCapability {
  static func orderTables(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE subscription_levels (
        name \(types.text) NOT NULL CONSTRAINT subscription_levels_key PRIMARY KEY,
        description \(types.text) NOT NULL,
        portfolio_limit \(types.int) NOT NULL,
        fee \(types.text) NOT NULL,
        apple_product_id \(types.text)
          CONSTRAINT subscription_levels_apple_product_id UNIQUE,
        google_product_id \(types.text)
          CONSTRAINT subscription_levels_google_product_id UNIQUE)\(types.keyed)
      """,
      """
      CREATE TABLE user_subscriptions (
        user_id \(types.text) NOT NULL CONSTRAINT user_subscriptions_key PRIMARY KEY,
        level \(types.text) NOT NULL,
        vendor \(types.text) NOT NULL,
        purchase_key \(types.text) NOT NULL,
        "subscriptionReceiptData" \(types.text) NOT NULL,
        "subscriptionExpiration" \(types.int) NOT NULL,
        validated_at \(types.int) NOT NULL)
      """,
      """
      CREATE TABLE subscription_claims (
        vendor \(types.text) NOT NULL,
        purchase_key \(types.text) NOT NULL,
        user_id \(types.text) NOT NULL,
        CONSTRAINT subscription_claims_key PRIMARY KEY (purchase_key, vendor))\(types.keyed)
      """,
      // Ours: Pub/Sub may push a message again.
      """
      CREATE TABLE google_push_messages (
        message_id \(types.text) NOT NULL CONSTRAINT google_push_messages_key PRIMARY KEY,
        created_ms \(types.int) NOT NULL)\(types.keyed)
      """,
      """
      CREATE INDEX google_push_messages_created_ms
        ON google_push_messages (created_ms, message_id)
      """,
    ]
  }

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
