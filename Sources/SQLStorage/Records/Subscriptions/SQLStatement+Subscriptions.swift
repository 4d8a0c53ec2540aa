internal import LinkPolicy

extension ListStatement {
  static let findSubscriptions = ListStatement(
    "subscription_find", column: "s.original_transaction_id", parameter: "$1",
    orderOfSeveral: "\nORDER BY s.original_transaction_id", lock: "FOR UPDATE OF s"
  ) { "\(SQLStatement.selectSubscription) WHERE \($0)" }
}

extension SQLStatement {
  /// The sources of memberships that carry a subscription.
  private static let stores = PayMethod.stores.map { "'\($0.rawValue)'" }.joined(separator: ", ")

  // In use: a membership that is paid at a store carries the id and belongs to the owner. Rows of earlier
  // programs have their account in vip_id, unless that equals vip_id_alias. There is at most one such
  // membership; with EXISTS, PostgreSQL might look at all of them first.
  static let selectSubscription = """
    SELECT \(SQLColumns.subscription.list(of: "s")), s.created_utc, s.updated_utc, s.ftc_user_id, s.as_of_ms,
      CASE WHEN s.ftc_user_id IS NOT NULL AND (
        SELECT 1 FROM ftc_vip m
        WHERE m.apple_subscription_id = s.original_transaction_id
          AND m.apple_subscription_id <> ''
          AND m.payment_method IN (\(stores))
          AND COALESCE(NULLIF(m.ftc_user_id, ''),
            CASE WHEN m.vip_id <> COALESCE(m.vip_id_alias, '')
              AND m.vip_id <> COALESCE(m.wx_union_id, '') THEN m.vip_id END)
            = s.ftc_user_id) IS NOT NULL
      THEN 1 ELSE 0 END,
      s.in_billing_retry, s.renewal_told, s.transactions_as_of_ms
    FROM apple_subscription s
    """

  // Overwrites the columns of the App Store, but neither owner nor environment nor created_utc;
  // updated_utc changes only with a value. A row that stays as it is is not written. The renewal entries that in_billing_retry is copied from may be
  // recorded before the row.
  static let saveSubscription = SQLInsertion(insertion, key: "original_transaction_id")
    .changingStored(
      "subscription_save",
      [
        .init(
          "updated_utc",
          """
          CASE WHEN \(differing) THEN excluded.updated_utc ELSE apple_subscription.updated_utc END
          """),
        .init(
          "wake_utc",
          """
          CASE WHEN apple_subscription.renewal_told = 0
            AND excluded.expires_date_utc <> apple_subscription.expires_date_utc
          THEN NULL ELSE apple_subscription.wake_utc END
          """),
        .init(
          "as_of_ms",
          """
          CASE WHEN excluded.as_of_ms > apple_subscription.as_of_ms
          THEN excluded.as_of_ms ELSE apple_subscription.as_of_ms END
          """),
        .overwriting("in_billing_retry"),
      ] + SQLColumns.subscription.overwriting(except: fixed),
      where: """
        \(differing) OR excluded.as_of_ms > apple_subscription.as_of_ms
          OR excluded.in_billing_retry <> apple_subscription.in_billing_retry
        """)

  private static let differing = SQLColumns.subscription.differing(
    in: "apple_subscription", except: fixed)

  /// The columns that never change.
  private static let fixed: Set = ["environment", "original_transaction_id"]

  static let insertSubscription = SQLInsertion(insertion, key: "original_transaction_id")
    .keepingStored("subscription_insert")

  /// For a subscription whose renewals the unit of work replaces afterwards, and notes where these are in a billing
  /// retry; returns its key if it was not stored, unless the database is MariaDB.
  static let insertToldSubscription = SQLInsertion(
    "\(insertionBeginning) 0, 1)", key: "original_transaction_id"
  ).returning("environment, original_transaction_id").keepingStored("subscription_insert_told")

  /// The same key, if the statement before has inserted a row; for MariaDB.
  static let insertedSubscription = SQLStatement(
    "subscription_inserted",
    "SELECT CAST($1 AS TEXT), CAST($2 AS TEXT) FROM DUAL WHERE ROW_COUNT() > 0")

  private static let insertionBeginning = """
    INSERT INTO apple_subscription (\(SQLColumns.subscription.list), created_utc, updated_utc,
      as_of_ms, in_billing_retry, renewal_told)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11,
    """

  private static let insertion = """
    \(insertionBeginning)
      CASE WHEN EXISTS (
        SELECT 1 FROM apple_pending_renewal r
        WHERE r.original_transaction_id = $2 AND r.environment = $1
          AND r.is_in_billing_retry_period = 1)
      THEN 1 ELSE 0 END,
      CASE WHEN EXISTS (
        SELECT 1 FROM apple_pending_renewal r
        WHERE r.original_transaction_id = $2 AND r.environment = $1)
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

  // Lists do not show the stamp. An owner has one membership, or an old one under each of two keys, so it
  // is looked up once.
  static let listSubscriptions = SQLStatement(
    "subscription_list",
    """
    SELECT \(SQLColumns.subscription.list(of: "s")), s.created_utc, s.updated_utc, s.ftc_user_id, CAST(0 AS BIGINT),
      CASE WHEN s.original_transaction_id IN (
        SELECT m.apple_subscription_id FROM ftc_vip m
        WHERE m.ftc_user_id = $1 AND m.ftc_user_id <> '' AND m.payment_method IN (\(stores))
        UNION ALL SELECT m.apple_subscription_id FROM ftc_vip m
        WHERE m.vip_id = $1 AND COALESCE(m.ftc_user_id, '') = '' AND m.payment_method IN (\(stores))
          AND m.vip_id <> COALESCE(m.vip_id_alias, '') AND m.vip_id <> COALESCE(m.wx_union_id, ''))
      THEN 1 ELSE 0 END
    FROM apple_subscription s WHERE s.ftc_user_id = $1
    ORDER BY s.expires_date_utc DESC, s.original_transaction_id LIMIT $2 OFFSET $3
    """)
}
