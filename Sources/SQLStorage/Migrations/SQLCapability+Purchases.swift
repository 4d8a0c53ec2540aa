// The tables that all capabilities have in common. Columns marked as ours are not in
// `Documentation/rules/linking-rules.md`.
extension SQLCapability {
  /// The moves of purchases from account to account.
  static func transfers(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE purchase_transfer (
        id \(types.serial),
        original_transaction_id \(types.id) NOT NULL,
        environment \(types.word) NOT NULL,
        previous_owner \(types.text) NOT NULL,
        owner \(types.text) NOT NULL,
        capability \(types.text) NOT NULL,
        transferred_ms \(types.int) NOT NULL)
      """,
      """
      CREATE INDEX purchase_transfer_original_transaction_id
        ON purchase_transfer (original_transaction_id, id)
      """,
    ]
  }

  static func evidenceTables(_ types: SQLTypes) -> [String] {
    [session(types), transaction(types)] + renewal(types) + [receipt(types), webhook(types)] + [
      """
      CREATE INDEX apple_transaction_original_transaction_id
        ON apple_transaction (original_transaction_id, environment)
      """
    ] + (types.dialect == .mariadb ? [probe] : [])
  }

  // For the test whether there is room, for which the other databases need no table.
  private static let probe =
    "CREATE TABLE storekeeper_probe (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, room LONGTEXT)"

  private static func session(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_verification_session (
      environment \(types.word) NOT NULL,
      original_transaction_id \(types.id) NOT NULL,
      transaction_id \(types.id) NOT NULL,
      app_item_id \(types.text),
      application_version \(types.text),
      bundle_id \(types.text),
      download_id \(types.text),
      expiration_date_ms \(types.int),
      original_purchase_date_ms \(types.int),
      original_application_version \(types.text),
      preorder_date_ms \(types.int),
      receipt_creation_date_ms \(types.int),
      receipt_type \(types.text),
      request_date_ms \(types.int) NOT NULL,
      response_status \(types.int) NOT NULL,
      version_external_identifier \(types.text),
      created_utc \(types.int) NOT NULL,
      CONSTRAINT apple_verification_session_key PRIMARY KEY
        (environment, original_transaction_id, transaction_id, request_date_ms))\(types.keyed)
    """
  }

  // Ours: product_type to offer_type, which only signed transactions have, and unreadable_fields: the
  // fields that could not be read (1 expiry, 2 cancellation, 4 offer), and whether a newer list leaves
  // the transaction out (8).
  private static func transaction(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_transaction (
      environment \(types.word) NOT NULL,
      original_transaction_id \(types.id) NOT NULL,
      transaction_id \(types.id) NOT NULL,
      product_id \(types.text) NOT NULL,
      quantity \(types.int) NOT NULL,
      web_order_line_item_id \(types.text),
      purchase_date_ms \(types.int),
      original_purchase_date_ms \(types.int),
      expires_date_ms \(types.int),
      is_trial_period \(types.flag),
      is_in_intro_offer_period \(types.flag),
      is_upgraded \(types.flag) NOT NULL,
      cancellation_date_ms \(types.int),
      cancellation_reason \(types.int),
      promotional_offer_id \(types.text),
      subscription_group_id \(types.text),
      product_type \(types.text),
      app_account_token \(types.text),
      in_app_ownership_type \(types.text),
      revocation_type \(types.text),
      offer_type \(types.int),
      unreadable_fields \(types.int) NOT NULL,
      created_utc \(types.int) NOT NULL,
      as_of_ms \(types.int),
      CONSTRAINT apple_transaction_key PRIMARY KEY (transaction_id, environment))\(types.keyed)
    """
  }

  // Ours: the offer. The product may be missing; the entries of an original id are replaced together, so
  // the key does not need it.
  private static func renewal(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE apple_pending_renewal (
        environment \(types.word) NOT NULL,
        original_transaction_id \(types.id) NOT NULL,
        product_id \(types.id),
        auto_renew_product_id \(types.text),
        auto_renew_status \(types.flag),
        expiration_intent \(types.int),
        grace_period_expires_date_ms \(types.int),
        is_in_billing_retry_period \(types.flag),
        price_consent_status \(types.int),
        promotional_offer_id \(types.text),
        offer_type \(types.int),
        created_utc \(types.int) NOT NULL,
        updated_utc \(types.int) NOT NULL,
        as_of_ms \(types.int) NOT NULL)
      """,
      """
      CREATE UNIQUE INDEX apple_pending_renewal_key
        ON apple_pending_renewal (original_transaction_id, environment, product_id)
      """,
    ]
  }

  // Ours, but for the stamp: that of the newest set of renewals, also of an empty one. It is null where only
  // notifications have told of renewals.
  static func renewalSet(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_renewal_set (
      original_transaction_id \(types.id) NOT NULL,
      environment \(types.word) NOT NULL,
      renewals_as_of_ms \(types.int),
      CONSTRAINT apple_renewal_set_key PRIMARY KEY
        (original_transaction_id, environment))\(types.keyed)
    """
  }

  private static func receipt(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_receipt (
      original_transaction_id \(types.id) NOT NULL,
      environment \(types.word) NOT NULL,
      receipt \(types.long) NOT NULL,
      created_utc \(types.int) NOT NULL,
      as_of_ms \(types.int) NOT NULL,
      CONSTRAINT apple_receipt_key PRIMARY KEY (original_transaction_id, environment))
    """
  }

  // Ours: notification_key, one key in place of several.
  private static func webhook(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_webhook (
      notification_key \(types.id) NOT NULL \(types.key("apple_webhook_key")),
      environment \(types.word) NOT NULL,
      original_transaction_id \(types.id),
      notification_type \(types.text) NOT NULL,
      subtype \(types.text),
      notification_uuid \(types.text),
      auto_renew_product_id \(types.text),
      auto_renew_status \(types.flag),
      auto_renew_status_change_date_ms \(types.int),
      expiration_intent \(types.int),
      response_status \(types.int),
      created_utc \(types.int) NOT NULL)\(types.keyed)
    """
  }

  // Ours: notifications as received, until the models can decode them.
  static func undecoded(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_undecoded (
      notification_key \(types.id) NOT NULL \(types.key("apple_undecoded_key")),
      environment \(types.word),
      signed_payload \(types.long) NOT NULL,
      path \(types.text) NOT NULL,
      created_utc \(types.int) NOT NULL)
    """
  }

  /// Indices that find old evidence, and the lease of its removal.
  static func retention(_ types: SQLTypes) -> [String] {
    [
      creationIndex("apple_webhook"), creationIndex("apple_verification_session"),
      """
      CREATE TABLE retention_lease (
        kind \(types.word) NOT NULL \(types.key("retention_lease_key")),
        token \(types.text) NOT NULL,
        until_utc \(types.int) NOT NULL)\(types.keyed)
      """,
    ]
  }

  static func creationIndex(_ table: String) -> String {
    "CREATE INDEX \(table)_created_utc ON \(table) (created_utc)"
  }
}
