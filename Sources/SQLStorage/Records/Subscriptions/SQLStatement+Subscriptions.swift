extension ListStatement {
  static let findSubscriptions = ListStatement(
    "subscription_find", column: "s.original_transaction_id", parameter: "$1",
    lock: "FOR UPDATE OF s"
  ) { "\(SQLStatement.selectSubscription) WHERE \($0) ORDER BY s.original_transaction_id" }
}

extension SQLStatement {
  // In use: a membership that is paid by Apple carries the id and belongs to the owner. Rows of the
  // past have their ftcId in vip_id, unless that equals vip_id_alias (contract on linking, sections
  // 1.2 and 1.3). There is one at most; with EXISTS, PostgreSQL might look at all of them first.
  static let selectSubscription = """
    SELECT s.environment, s.original_transaction_id, s.last_transaction_id, s.product_id,
      s.purchase_date_utc, s.expires_date_utc, s.tier, s.cycle, s.auto_renewal,
      s.created_utc, s.updated_utc, s.ftc_user_id, s.as_of_ms,
      CASE WHEN s.ftc_user_id IS NOT NULL AND (
        SELECT 1 FROM ftc_vip m
        WHERE m.apple_subscription_id = s.original_transaction_id
          AND m.apple_subscription_id <> ''
          AND m.payment_method = 'apple'
          AND COALESCE(NULLIF(m.ftc_user_id, ''),
            CASE WHEN m.vip_id <> COALESCE(m.vip_id_alias, '')
              AND m.vip_id <> COALESCE(m.wx_union_id, '') THEN m.vip_id END)
            = s.ftc_user_id) IS NOT NULL
      THEN 1 ELSE 0 END
    FROM apple_subscription s
    """

  // Overwrites what Apple says, and neither owner nor environment nor created_utc; updated_utc moves
  // only when a value changes (contract on linking, section 4.6). The row may come after the renewal
  // entries that it copies in_billing_retry from.
  static let saveSubscription = SQLStatement(
    "subscription_save",
    """
    \(insertion)
    ON CONFLICT (original_transaction_id) DO UPDATE SET
      last_transaction_id = excluded.last_transaction_id,
      product_id = excluded.product_id,
      purchase_date_utc = excluded.purchase_date_utc,
      expires_date_utc = excluded.expires_date_utc,
      tier = excluded.tier,
      cycle = excluded.cycle,
      auto_renewal = excluded.auto_renewal,
      updated_utc = CASE WHEN
        apple_subscription.last_transaction_id <> excluded.last_transaction_id
        OR apple_subscription.product_id <> excluded.product_id
        OR apple_subscription.purchase_date_utc <> excluded.purchase_date_utc
        OR apple_subscription.expires_date_utc <> excluded.expires_date_utc
        OR apple_subscription.tier <> excluded.tier
        OR apple_subscription.cycle <> excluded.cycle
        OR apple_subscription.auto_renewal <> excluded.auto_renewal
        THEN excluded.updated_utc ELSE apple_subscription.updated_utc END,
      as_of_ms = CASE WHEN excluded.as_of_ms > apple_subscription.as_of_ms
        THEN excluded.as_of_ms ELSE apple_subscription.as_of_ms END,
      in_billing_retry = excluded.in_billing_retry
    """)

  static let insertSubscription = SQLStatement(
    "subscription_insert",
    """
    \(insertion)
    ON CONFLICT (original_transaction_id) DO NOTHING
    """)

  private static let insertion = """
    INSERT INTO apple_subscription (environment, original_transaction_id, last_transaction_id,
      product_id, purchase_date_utc, expires_date_utc, tier, cycle, auto_renewal, created_utc,
      updated_utc, as_of_ms, in_billing_retry)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11,
      CASE WHEN EXISTS (
        SELECT 1 FROM apple_pending_renewal r
        WHERE r.original_transaction_id = $2 AND r.environment = $1
          AND r.is_in_billing_retry_period = 1)
      THEN 1 ELSE 0 END)
    """

  static let setOwner = SQLStatement(
    "subscription_set_owner",
    """
    UPDATE apple_subscription SET ftc_user_id = $2,
      updated_utc = CASE WHEN COALESCE(ftc_user_id, '') <> COALESCE($2, '')
        THEN $3 ELSE updated_utc END
    WHERE original_transaction_id = $1
    """)

  static let countSubscriptions = SQLStatement(
    "subscription_count", "SELECT COUNT(*) FROM apple_subscription WHERE ftc_user_id = $1")

  // The stamp is not shown in lists. An owner has one membership, or an old one under each of two
  // keys, so it is looked up once.
  static let listSubscriptions = SQLStatement(
    "subscription_list",
    """
    SELECT s.environment, s.original_transaction_id, s.last_transaction_id, s.product_id,
      s.purchase_date_utc, s.expires_date_utc, s.tier, s.cycle, s.auto_renewal,
      s.created_utc, s.updated_utc, s.ftc_user_id, CAST(0 AS BIGINT),
      CASE WHEN s.original_transaction_id IN (
        SELECT m.apple_subscription_id FROM ftc_vip m
        WHERE m.ftc_user_id = $1 AND m.ftc_user_id <> '' AND m.payment_method = 'apple'
        UNION ALL SELECT m.apple_subscription_id FROM ftc_vip m
        WHERE m.vip_id = $1 AND COALESCE(m.ftc_user_id, '') = '' AND m.payment_method = 'apple'
          AND m.vip_id <> COALESCE(m.vip_id_alias, '') AND m.vip_id <> COALESCE(m.wx_union_id, ''))
      THEN 1 ELSE 0 END
    FROM apple_subscription s WHERE s.ftc_user_id = $1
    ORDER BY s.expires_date_utc DESC, s.original_transaction_id LIMIT $2 OFFSET $3
    """)
}
