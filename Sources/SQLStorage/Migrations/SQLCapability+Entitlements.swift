// The tables of entitlements. Moments are in milliseconds.
//
// Source: entitlement rules, section 4.
extension SQLCapability {
  static func entitlementTables(_ types: SQLTypes) -> [String] {
    [
      association(types),
      // It contains all columns, so that the rows, which lie far apart, are not looked up.
      """
      CREATE INDEX store_associations_user_id ON store_associations
        (user_id, bundle_id\(types.and("original_transaction_id, environment, associated_at, how")))
      """,
      associationConflict(types),
      """
      CREATE INDEX store_association_conflicts_original_transaction_id
        ON store_association_conflicts (original_transaction_id, id)
      """,
      acquired(types), validation(types),
      """
      CREATE INDEX store_validation_next_validation_at
        ON store_validation (next_validation_at, user_id, bundle_id)\(
        types.rows(where: "next_validation_at IS NOT NULL"))
      """,
      purchaseView, subscriptionView(types.dialect),
    ]
  }

  static func conflictsByClaimant(_ types: SQLTypes) -> [String] {
    // A key of MariaDB's has the beginning of a text.
    let claimant = types.dialect == .mariadb ? "claimant(128)" : "claimant"
    return [
      "CREATE INDEX store_association_conflicts_claimant ON store_association_conflicts (\(claimant), id)"
    ]
  }

  private static func association(_ types: SQLTypes) -> String {
    """
    CREATE TABLE store_associations (
      environment \(types.word) NOT NULL,
      original_transaction_id \(types.id) NOT NULL,
      user_id \(types.user) NOT NULL,
      bundle_id \(types.id) NOT NULL,
      associated_at \(types.int) NOT NULL,
      how \(types.text) NOT NULL,
      CONSTRAINT store_associations_key PRIMARY KEY
        (original_transaction_id, environment))\(types.keyed)
    """
  }

  private static func associationConflict(_ types: SQLTypes) -> String {
    """
    CREATE TABLE store_association_conflicts (
      id \(types.serial),
      original_transaction_id \(types.id) NOT NULL,
      owner \(types.text) NOT NULL,
      claimant \(types.text) NOT NULL,
      seen_at \(types.int) NOT NULL)
    """
  }

  private static func acquired(_ types: SQLTypes) -> String {
    """
    CREATE TABLE store_acquired (
      user_id \(types.user) NOT NULL,
      bundle_id \(types.id) NOT NULL,
      product_id \(types.id) NOT NULL,
      acquired_at \(types.int) NOT NULL,
      via_product_id \(types.text) NOT NULL,
      CONSTRAINT store_acquired_key PRIMARY KEY (user_id, bundle_id, product_id))\(types.keyed)
    """
  }

  // Ours: the lease.
  private static func validation(_ types: SQLTypes) -> String {
    """
    CREATE TABLE store_validation (
      user_id \(types.user) NOT NULL,
      bundle_id \(types.id) NOT NULL,
      validated_at \(types.int),
      first_failure_at \(types.int),
      last_failure_at \(types.int),
      last_failure \(types.text),
      next_validation_at \(types.int),
      lease_token \(types.text),
      lease_until \(types.int),
      CONSTRAINT store_validation_key PRIMARY KEY (user_id, bundle_id))\(types.keyed)
    """
  }

  // Ours. A failure that was noted for all purchases of a user in an app is each purchase's own, until its
  // source answers.
  static func unansweredTables(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE store_unanswered (
        original_transaction_id \(types.id) NOT NULL,
        environment \(types.word) NOT NULL,
        first_failure_at \(types.int) NOT NULL,
        CONSTRAINT store_unanswered_key PRIMARY KEY
          (original_transaction_id, environment))\(types.keyed)
      """,
      """
      INSERT INTO store_unanswered (original_transaction_id, environment, first_failure_at)
      SELECT a.original_transaction_id, a.environment, v.first_failure_at
      FROM store_validation v
      JOIN store_associations a ON a.user_id = v.user_id AND a.bundle_id = v.bundle_id
      WHERE v.first_failure_at IS NOT NULL
      """,
    ]
  }

  // MARK: Views

  // For people and reports; the library itself reads the evidence. A transaction without an expiry is a
  // purchase, unless its expiry is unreadable (1) or it is known to renew. A revocation whose date is
  // unreadable (2) counts from the purchase.
  private static let purchaseView = """
    CREATE VIEW store_purchases (environment, transaction_id, bundle_id, original_transaction_id,
      product_id, type, purchased_at, revoked_at, signed_at) AS
    SELECT t.environment, t.transaction_id, a.bundle_id, t.original_transaction_id, t.product_id,
      t.product_type, COALESCE(t.purchase_date_ms, t.original_purchase_date_ms),
      CASE WHEN t.cancellation_date_ms IS NOT NULL THEN t.cancellation_date_ms
        WHEN t.unreadable_fields & 2 <> 0
        THEN COALESCE(t.purchase_date_ms, t.original_purchase_date_ms, 0) END,
      t.as_of_ms
    FROM store_associations a
    JOIN apple_transaction t ON t.original_transaction_id = a.original_transaction_id
      AND t.environment = a.environment
    WHERE t.expires_date_ms IS NULL AND t.unreadable_fields & 1 = 0
      AND (t.product_type IS NULL OR t.product_type <> 'Auto-Renewable Subscription')
    """

  // The charge that counts: upgraded and superseded charges do not, cancelled ones only if no other is
  // left; then the greatest expiry, purchase date and transaction id, as a number, decides.
  //
  // Source: linking rules, section 4.7, steps 2 to 4.
  //
  // MariaDB puts a null after all others where the order descends, and runs a prepared statement once only on a view
  // where a query in its list of columns refers to another in its FROM.
  private static func subscriptionView(_ dialect: SQLDialect) -> String {
    let isMariaDB = dialect == .mariadb
    let last = isMariaDB ? "" : " NULLS LAST"
    let number =
      isMariaDB ? "TRIM(LEADING '0' FROM t.transaction_id)" : "LTRIM(t.transaction_id, '0')"
    return """
      CREATE VIEW store_subscriptions (environment, original_transaction_id, bundle_id, product_id,
        last_purchase_at, expires_at, grace_period_expires_at, cancellation_at, signed_at) AS
      SELECT c.environment, c.original_transaction_id, c.bundle_id, c.product_id, c.purchased_at,
        c.expires_at,
        CASE WHEN c.is_newest_cancelled = 0 THEN \(isMariaDB ? "c.grace" : grace(of: "c")) END,
        CASE WHEN c.is_cancelled = 1 THEN COALESCE(c.cancelled_at, c.purchased_at) END,
        c.signed_at
      FROM (
        SELECT p.*,
          FIRST_VALUE(p.is_cancelled) OVER (
            PARTITION BY p.original_transaction_id, p.environment
            ORDER BY p.expires_at DESC, p.charged_at DESC\(last), p.digits DESC, p.number DESC,
              LENGTH(p.transaction_id) DESC) AS is_newest_cancelled,
          ROW_NUMBER() OVER (
            PARTITION BY p.original_transaction_id, p.environment
            ORDER BY p.is_cancelled, p.expires_at DESC, p.charged_at DESC\(last), p.digits DESC,
              p.number DESC, LENGTH(p.transaction_id) DESC) AS place
        FROM (
          SELECT t.environment, t.original_transaction_id, a.bundle_id, t.product_id,
            t.transaction_id,
            COALESCE(t.purchase_date_ms, t.original_purchase_date_ms, t.expires_date_ms)
              AS purchased_at,
            t.purchase_date_ms AS charged_at, t.expires_date_ms AS expires_at,
            t.cancellation_date_ms AS cancelled_at,
            CASE WHEN t.cancellation_date_ms IS NOT NULL OR t.unreadable_fields & 2 <> 0
              THEN 1 ELSE 0 END AS is_cancelled,
            LENGTH(\(number)) AS digits, \(number) AS number,
            t.as_of_ms AS signed_at\(isMariaDB ? ", \(grace(of: "t")) AS grace" : "")
          FROM store_associations a
          JOIN apple_transaction t ON t.original_transaction_id = a.original_transaction_id
            AND t.environment = a.environment
          WHERE t.expires_date_ms IS NOT NULL AND t.is_upgraded = 0
            AND NOT EXISTS (SELECT 1 FROM apple_transaction s
              WHERE s.original_transaction_id = t.original_transaction_id
                AND s.environment = t.environment AND s.product_id <> t.product_id
                AND s.purchase_date_ms > t.purchase_date_ms
                AND s.purchase_date_ms < t.expires_date_ms)) p) c
      WHERE c.place = 1
      """
  }

  private static func grace(of charge: String) -> String {
    """
    (
        SELECT r.grace_period_expires_date_ms FROM apple_pending_renewal r
        WHERE r.original_transaction_id = \(charge).original_transaction_id
          AND r.environment = \(charge).environment
          AND (r.product_id = \(charge).product_id OR r.product_id IS NULL)
          AND r.as_of_ms = (SELECT MAX(l.as_of_ms) FROM apple_pending_renewal l
            WHERE l.original_transaction_id = \(charge).original_transaction_id
              AND l.environment = \(charge).environment)
        ORDER BY CASE WHEN r.product_id IS NULL THEN 1 ELSE 0 END LIMIT 1)
    """
  }
}
