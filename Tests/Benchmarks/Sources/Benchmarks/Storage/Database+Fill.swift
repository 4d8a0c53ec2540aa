import CEngines

extension Database {
  /// The present moment of all stored data, in Unix seconds.
  static let now = 1_700_000_000

  /// Stores so many subscriptions, as an installation would have them.
  ///
  /// Every other one is free to be linked; the others have an owner and a membership, and of each
  /// thousand 25 belong to one account. Eight in a hundred are due, six more wait for their next try,
  /// and twenty ended long ago. More than half have been refreshed before.
  func fill(subscriptions count: Int) throws {
    let engine = try Engine(self)
    if kind == .sqlite {
      try engine.script("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
    }
    try engine.script("BEGIN")
    let tables = [
      subscriptions(count, owner: owner), transactions(count), renewals(count),
      memberships(count), pollStates(count),
    ]
    for sql in tables { try engine.script(sql) }
    try engine.script("COMMIT")
    try settle(engine)
  }

  /// Stores so many entries of ledgers, each of a granted purchase, ten for each user, who all buy in
  /// turn.
  func fill(ledgerEntries count: Int) throws {
    let engine = try Engine(self)
    if kind == .sqlite {
      try engine.script("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
    }
    try engine.script("BEGIN")
    for sql in ledger(count) { try engine.script(sql) }
    try engine.script("COMMIT")
    try settle(engine)
  }

  /// Stores so many users, each with an active subscription and a product acquired through it.
  func fill(entitledUsers count: Int) throws {
    let engine = try Engine(self)
    if kind == .sqlite {
      try engine.script("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
    }
    try engine.script("BEGIN")
    for sql in entitlements(count) { try engine.script(sql) }
    try engine.script("COMMIT")
    try settle(engine)
  }

  /// Stores an order of each of so many users, as `CannedAppStore` answers about them.
  func fill(orderedSubscriptions count: Int) throws {
    let engine = try Engine(self)
    if kind == .sqlite {
      try engine.script("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
    }
    try engine.script("BEGIN")
    for sql in orders(count) { try engine.script(sql) }
    try engine.script("COMMIT")
    try settle(engine)
  }

  private func orders(_ count: Int) -> [String] {
    let user = Numbered.accountSQL("n", kind)
    let id = "CAST(\(CannedAppStore.firstID) + n AS TEXT)"
    let length = Int(receipt_length) - 15
    let text =
      kind == .sqlite
      ? "replace(hex(zeroblob(\(length))), '00', 'M')" : "repeat('M', \(length))"
    return [
      """
      INSERT INTO subscription_claims (purchase_key, vendor, user_id)
      \(numbers(count))
      SELECT 'production:' || \(id), 'apple', \(user) FROM numbers
      """,
      """
      INSERT INTO user_subscriptions (user_id, level, vendor, purchase_key,
        "subscriptionReceiptData", "subscriptionExpiration", validated_at)
      \(numbers(count))
      SELECT \(user), 'Pro', 'apple', 'production:' || \(id), \(text) || \(id), 1702591000000,
        \(Self.now)000
      FROM numbers
      """,
    ]
  }

  private func entitlements(_ count: Int) -> [String] {
    let numbers = numbers(count)
    let user = Numbered.accountSQL("n", kind)
    let (app, product) = ("com.example.draw", "com.example.draw.full.monthly")
    let now = Self.now
    return [
      """
      INSERT INTO apple_transaction (environment, original_transaction_id, transaction_id,
        product_id, product_type, quantity, purchase_date_ms, original_purchase_date_ms,
        expires_date_ms, is_upgraded, unreadable_fields, created_utc, as_of_ms)
      \(numbers)
      SELECT 'production', CAST(400000000000000 + n AS TEXT), CAST(400000000000000 + n AS TEXT),
        '\(product)', 'Auto-Renewable Subscription', 1, \(now)000 - 1000000000,
        \(now)000 - 1000000000, \(now)000 + 1000000000, 0, 0, \(now), \(now)000 - 1000000000
      FROM numbers
      """,
      """
      INSERT INTO apple_pending_renewal (environment, original_transaction_id, product_id,
        auto_renew_product_id, auto_renew_status, is_in_billing_retry_period, created_utc,
        updated_utc, as_of_ms)
      \(numbers)
      SELECT 'production', CAST(400000000000000 + n AS TEXT), '\(product)', '\(product)', 1, 0,
        \(now), \(now), \(now)000 - 1000000000
      FROM numbers
      """,
      """
      INSERT INTO store_associations (environment, original_transaction_id, user_id, bundle_id,
        associated_at, how)
      \(numbers)
      SELECT 'production', CAST(400000000000000 + n AS TEXT), \(user), '\(app)', \(now)000,
        'signed_transaction'
      FROM numbers
      """,
      """
      INSERT INTO store_acquired (user_id, bundle_id, product_id, acquired_at, via_product_id)
      \(numbers)
      SELECT \(user), '\(app)', 'com.example.draw.brushes', \(now)000, '\(product)' FROM numbers
      """,
      """
      INSERT INTO store_validation (user_id, bundle_id, validated_at, next_validation_at)
      \(numbers)
      SELECT \(user), '\(app)', \(now)000, \(now)000 + 600000000 FROM numbers
      """,
    ]
  }

  private func ledger(_ count: Int) -> [String] {
    let numbers = numbers(count)
    let users = max(1, count / 10)
    let user = Numbered.accountSQL("3000000000 + (n - 1) % \(users)", kind)
    let id = "CAST(500000000000000 + n AS TEXT)"
    return [
      """
      INSERT INTO apple_iap_transactions (environment, transaction_id, user_id,
        original_transaction_id, bundle_id, product_id, product_code, quantity, credits_per_unit,
        credits, status, purchase_date, ledger_event_id, refund_round, created_at, updated_at)
      \(numbers)
      SELECT 'Sandbox', \(id), \(user), \(id), 'com.example.reader', 'com.example.reader.gems.big',
        'big_pack', 1, 500, 500, 'granted', 1699999000000, 'payment.apple_iap:' || \(id), 0,
        1700000000000, 1700000000000
      FROM numbers
      """,
      """
      INSERT INTO credit_ledger (user_id, environment, event_id, change_type, biz_type, biz_id,
        amount, balance_after, metadata, created_at)
      \(numbers)
      SELECT \(user), 'Sandbox', 'payment.apple_iap:' || \(id), 'purchase', 'payment',
        CAST(n AS TEXT), 500, 500 * ((n - 1 - (n - 1) % \(users)) / \(users) + 1), '{"ext":{"provider":"apple_iap"}}', 1700000000000
      FROM numbers
      """,
      """
      INSERT INTO credit_account (user_id, balance, updated_at)
      SELECT user_id, SUM(amount), 1700000000000 FROM credit_ledger GROUP BY user_id
      """,
    ]
  }

  /// As the background would leave it after a while.
  private func settle(_ engine: Engine) throws {
    switch kind {
    case .sqlite: try engine.script("PRAGMA wal_checkpoint(TRUNCATE)")
    case .postgres: try engine.script("VACUUM ANALYZE")
    // It tidies up and counts by itself.
    case .mariadb: break
    }
  }

  private func numbers(_ count: Int) -> String {
    """
    WITH RECURSIVE numbers(n) AS (
      SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
    """
  }

  /// The account that owns many subscriptions of the thousand.
  static func collector(_ thousand: Int) -> String {
    Numbered.account(2_000_000_000 + thousand)
  }

  private var owner: String {
    """
    CASE WHEN n % 2 = 0 THEN NULL
      WHEN n % 40 = 1 THEN \(Numbered.accountSQL("2000000000 + (n - n % 1000) / 1000", kind))
      ELSE \(Numbered.accountSQL("n", kind)) END
    """
  }

  private static let isWaiting = "n % 100 >= 8 AND n % 100 < 14"
  private static let nextTry = "\(now) + 3600 + n % 14400"
  private static let product = "com.example.reader.subscription.monthly"

  private func subscriptions(_ count: Int, owner: String) -> String {
    let now = Self.now
    return """
      INSERT INTO apple_subscription (environment, original_transaction_id, last_transaction_id,
        product_id, purchase_date_utc, expires_date_utc, tier, cycle, auto_renewal, created_utc,
        updated_utc, ftc_user_id, as_of_ms, in_billing_retry, wake_utc)
      \(numbers(count))
      SELECT 'production', CAST(400000000000000 + n AS TEXT), CAST(500000000000000 + n AS TEXT),
        '\(Self.product)', \(now) - 1000000,
        CASE WHEN n % 100 < 14 THEN \(now) - 86400 + n * 7919 % 345600
          WHEN n % 100 < 80 THEN \(now) + 432000 + n * 7919 % 25920000
          ELSE \(now) - 6000000 - n * 7919 % 50000000 END,
        'standard', 'month', CASE WHEN n % 100 < 80 THEN 1 ELSE 0 END,
        \(now) - 1000000, \(now) - 1000000, \(owner), \(now)000 - 1000000000,
        CASE WHEN n % 100 = 13 THEN 1 ELSE 0 END,
        CASE WHEN \(Self.isWaiting) THEN \(Self.nextTry) END
      FROM numbers
      """
  }

  private func transactions(_ count: Int) -> String {
    """
    INSERT INTO apple_transaction (environment, original_transaction_id, transaction_id,
      product_id, quantity, purchase_date_ms, original_purchase_date_ms, expires_date_ms,
      is_upgraded, unreadable_fields, created_utc, as_of_ms)
    \(numbers(count))
    SELECT 'production', CAST(400000000000000 + n AS TEXT), CAST(500000000000000 + n AS TEXT),
      '\(Self.product)', 1, \(Self.now)000, \(Self.now)000, \(Self.now)000, 0, 0, \(Self.now),
      \(Self.now)000 - 1000000000
    FROM numbers
    """
  }

  private func renewals(_ count: Int) -> String {
    """
    INSERT INTO apple_pending_renewal (environment, original_transaction_id, product_id,
      auto_renew_product_id, auto_renew_status, is_in_billing_retry_period, created_utc,
      updated_utc, as_of_ms)
    \(numbers(count))
    SELECT 'production', CAST(400000000000000 + n AS TEXT), '\(Self.product)', '\(Self.product)',
      CASE WHEN n % 100 < 80 THEN 1 ELSE 0 END, CASE WHEN n % 100 = 13 THEN 1 ELSE 0 END,
      \(Self.now), \(Self.now), \(Self.now)000 - 1000000000
    FROM numbers
    """
  }

  private func memberships(_ count: Int) -> String {
    """
    INSERT INTO ftc_vip (vip_id, id, ftc_user_id, member_tier, billing_cycle, expire_date,
      payment_method, auto_renewal, apple_subscription_id, vip_type, expire_time)
    \(numbers(count)),
    owned(n, account) AS (
      SELECT n, \(owner) FROM numbers WHERE n % 2 = 1 AND (n % 40 <> 1 OR n % 1000 = 1))
    SELECT account, 'mmb_' || substr(account, 1, 8) || CAST(1000 + n % 7919 AS TEXT), account,
      'standard', 'month', '2023-12-14', 'apple', 1, CAST(400000000000000 + n AS TEXT), 10,
      1702598399
    FROM owned
    """
  }

  private func pollStates(_ count: Int) -> String {
    """
    INSERT INTO apple_poll_state (original_transaction_id, environment, next_try_utc, failures)
    \(numbers(count))
    SELECT CAST(400000000000000 + n AS TEXT), 'production',
      CASE WHEN \(Self.isWaiting) THEN \(Self.nextTry) ELSE \(Self.now) - 86400 END, 0
    FROM numbers WHERE n % 100 < 60
    """
  }
}
