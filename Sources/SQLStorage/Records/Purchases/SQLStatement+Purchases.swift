extension ListStatement {
  // The columns from quantity on are those of PurchaseRecord.init(row:); the last one is the stamp of the
  // whole answer. The environment is compared in a way that is no index's (|| ''), or PostgreSQL might
  // look at all transactions of one.
  static let findTransactions = ListStatement(
    "transaction_find", column: "original_transaction_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT transaction_id, original_transaction_id, product_id, environment, quantity,
      web_order_line_item_id, purchase_date_ms, original_purchase_date_ms, expires_date_ms,
      is_trial_period, is_in_intro_offer_period, is_upgraded, cancellation_date_ms,
      cancellation_reason, promotional_offer_id, subscription_group_id, product_type,
      app_account_token, in_app_ownership_type, revocation_type, offer_type,
      unreadable_fields, as_of_ms, \(SQLStatement.answerStamp("transactions_as_of_ms"))
    FROM apple_transaction WHERE environment || '' = $1 AND \($0)
    """
  }

  static let findOriginalIDs = ListStatement(
    "transaction_originals", column: "transaction_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT DISTINCT original_transaction_id FROM apple_transaction
    WHERE environment || '' = $1 AND \($0)
    """
  }

  static let lockTransactions = ListStatement(
    "transaction_lock", column: "s.original_transaction_id", parameter: "$2",
    lock: "FOR UPDATE OF s"
  ) {
    """
    SELECT s.original_transaction_id, s.transactions_as_of_ms FROM apple_subscription s
    WHERE s.environment || '' = $1 AND \($0) ORDER BY s.original_transaction_id
    """
  }

  static let findRenewals = ListStatement(
    "renewal_find", column: "original_transaction_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT original_transaction_id, environment, product_id, auto_renew_product_id,
      auto_renew_status, expiration_intent, grace_period_expires_date_ms,
      is_in_billing_retry_period, price_consent_status, promotional_offer_id, offer_type,
      as_of_ms
    FROM apple_pending_renewal WHERE environment = $1 AND \($0)
    """
  }
}

extension SQLStatement {
  /// The stamp of a whole answer for a row of `apple_transaction`.
  static func answerStamp(_ column: String) -> String {
    """
    (SELECT s.\(column) FROM apple_subscription s
      WHERE s.original_transaction_id = apple_transaction.original_transaction_id
        AND s.environment || '' = apple_transaction.environment)
    """
  }

  // The monotonic guard: the same stamp or a later one, and without a stamp only where nothing is
  // (contract on linking, section 4.6).
  static let recordTransaction = SQLStatement(
    "transaction_record",
    """
    INSERT INTO apple_transaction (environment, original_transaction_id, transaction_id,
      product_id, quantity, web_order_line_item_id, purchase_date_ms,
      original_purchase_date_ms, expires_date_ms, is_trial_period, is_in_intro_offer_period,
      is_upgraded, cancellation_date_ms, cancellation_reason, promotional_offer_id,
      subscription_group_id, product_type, app_account_token, in_app_ownership_type,
      revocation_type, offer_type, unreadable_fields, created_utc, as_of_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
      $19, $20, $21, $22, $23, $24)
    ON CONFLICT (environment, transaction_id) DO UPDATE SET
      original_transaction_id = excluded.original_transaction_id,
      product_id = excluded.product_id,
      quantity = excluded.quantity,
      web_order_line_item_id = excluded.web_order_line_item_id,
      purchase_date_ms = excluded.purchase_date_ms,
      original_purchase_date_ms = excluded.original_purchase_date_ms,
      expires_date_ms = excluded.expires_date_ms,
      is_trial_period = excluded.is_trial_period,
      is_in_intro_offer_period = excluded.is_in_intro_offer_period,
      is_upgraded = excluded.is_upgraded,
      cancellation_date_ms = excluded.cancellation_date_ms,
      cancellation_reason = excluded.cancellation_reason,
      promotional_offer_id = excluded.promotional_offer_id,
      subscription_group_id = excluded.subscription_group_id,
      product_type = excluded.product_type,
      app_account_token = excluded.app_account_token,
      in_app_ownership_type = excluded.in_app_ownership_type,
      revocation_type = excluded.revocation_type,
      offer_type = excluded.offer_type,
      unreadable_fields = excluded.unreadable_fields,
      as_of_ms = excluded.as_of_ms
    WHERE excluded.as_of_ms IS NOT NULL
      AND (apple_transaction.as_of_ms IS NULL
        OR excluded.as_of_ms >= apple_transaction.as_of_ms)
      AND excluded.as_of_ms >=
        COALESCE(\(answerStamp("transactions_as_of_ms")), excluded.as_of_ms)
    """)

  static let stampTransactions = SQLStatement(
    "transaction_stamp",
    """
    UPDATE apple_subscription SET transactions_as_of_ms = $3
    WHERE original_transaction_id = $2 AND environment || '' = $1
    """)

  // Writes the stamp of the whole answer into each row, before another row comes that it is not for.
  static let settleTransactions = SQLStatement(
    "transaction_settle",
    """
    UPDATE apple_transaction SET as_of_ms = $3
    WHERE original_transaction_id = $2 AND environment || '' = $1
      AND (as_of_ms IS NULL OR as_of_ms < $3)
    """)

  // All but those of the products in the list, which keep their date of creation, and later ones.
  static func deleteRenewals(_ dialect: SQLDialect) -> SQLStatement {
    dialect == .postgres ? deletePostgresRenewals : deleteSQLiteRenewals
  }

  private static let deletePostgresRenewals = deleteRenewals(
    "<> ALL(CAST($3 AS TEXT[]))")
  private static let deleteSQLiteRenewals = deleteRenewals(
    "NOT IN (SELECT value FROM json_each($3))")

  private static func deleteRenewals(_ others: String) -> SQLStatement {
    SQLStatement(
      "renewal_delete",
      """
      DELETE FROM apple_pending_renewal
      WHERE environment = $1 AND original_transaction_id = $2
        AND (product_id IS NULL OR product_id \(others)) AND as_of_ms <= $4
      """)
  }

  static let putRenewal = SQLStatement(
    "renewal_put",
    """
    INSERT INTO apple_pending_renewal (environment, original_transaction_id, product_id,
      auto_renew_product_id, auto_renew_status, expiration_intent,
      grace_period_expires_date_ms, is_in_billing_retry_period, price_consent_status,
      promotional_offer_id, offer_type, created_utc, updated_utc, as_of_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13)
    ON CONFLICT (original_transaction_id, environment, product_id) DO UPDATE SET
      auto_renew_product_id = excluded.auto_renew_product_id,
      auto_renew_status = excluded.auto_renew_status,
      expiration_intent = excluded.expiration_intent,
      grace_period_expires_date_ms = excluded.grace_period_expires_date_ms,
      is_in_billing_retry_period = excluded.is_in_billing_retry_period,
      price_consent_status = excluded.price_consent_status,
      promotional_offer_id = excluded.promotional_offer_id,
      offer_type = excluded.offer_type,
      updated_utc = excluded.updated_utc,
      as_of_ms = excluded.as_of_ms
    WHERE excluded.as_of_ms >= apple_pending_renewal.as_of_ms
    """)

  static let noteBillingRetry = SQLStatement(
    "renewal_note_retry",
    """
    UPDATE apple_subscription SET in_billing_retry = 1 - in_billing_retry
    WHERE original_transaction_id = $2 AND environment = $1 AND in_billing_retry <>
      CASE WHEN EXISTS (SELECT 1 FROM apple_pending_renewal AS entry
        WHERE entry.original_transaction_id = $2 AND entry.environment = $1
          AND entry.is_in_billing_retry_period = 1) THEN 1 ELSE 0 END
    """)

  static let recordSession = SQLStatement(
    "session_record",
    """
    INSERT INTO apple_verification_session (environment, original_transaction_id,
      transaction_id, app_item_id, application_version, bundle_id, download_id,
      expiration_date_ms, original_purchase_date_ms, original_application_version,
      preorder_date_ms, receipt_creation_date_ms, receipt_type, request_date_ms,
      response_status, version_external_identifier, created_utc)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    ON CONFLICT DO NOTHING
    """)

  // The same receipt again moves the stamp in the subscription, and leaves the receipt as it is.
  static let stampReceipt = SQLStatement(
    "receipt_stamp",
    """
    UPDATE apple_subscription SET receipt_as_of_ms = $3
    WHERE original_transaction_id = $2 AND environment || '' = $1
      AND (receipt_as_of_ms IS NULL OR receipt_as_of_ms < $3)
      AND EXISTS (
        SELECT 1 FROM apple_receipt r
        WHERE r.original_transaction_id = $2 AND r.environment = $1 AND r.as_of_ms < $3
          AND r.receipt = $4)
    """)

  static let putReceipt = SQLStatement(
    "receipt_put",
    """
    INSERT INTO apple_receipt
      (environment, original_transaction_id, receipt, created_utc, as_of_ms)
    SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT),
      CAST($5 AS BIGINT)
    WHERE NOT EXISTS (
      SELECT 1 FROM apple_receipt r
      WHERE r.original_transaction_id = $2 AND r.environment = $1
        AND (r.as_of_ms >= $5 OR \(receiptStamp("r")) >= $5) AND r.receipt = $3)
    ON CONFLICT (original_transaction_id, environment) DO UPDATE SET
      receipt = excluded.receipt, as_of_ms = excluded.as_of_ms
    WHERE excluded.as_of_ms >= apple_receipt.as_of_ms
      AND excluded.as_of_ms >= COALESCE(\(receiptStamp("apple_receipt")), excluded.as_of_ms)
    """)

  static let findReceipt = SQLStatement(
    "receipt_find",
    """
    SELECT r.receipt, r.as_of_ms, \(receiptStamp("r")) FROM apple_receipt r
    WHERE r.environment = $1 AND r.original_transaction_id = $2
    """)

  private static func receiptStamp(_ table: String) -> String {
    """
    (SELECT s.receipt_as_of_ms FROM apple_subscription s
      WHERE s.original_transaction_id = \(table).original_transaction_id
        AND s.environment || '' = \(table).environment)
    """
  }
}
