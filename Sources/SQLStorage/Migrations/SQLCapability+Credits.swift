// The tables of credits (credit rules, section 5). Moments are in milliseconds.
extension SQLCapability {
  static func creditTables(_ types: SQLTypes) -> [String] {
    [
      creditTransaction(types),
      """
      CREATE INDEX apple_iap_transactions_user_id ON apple_iap_transactions (user_id, id)\(
        types.rows(where: "user_id IS NOT NULL"))
      """,
      // The last two columns let an audit add up all ledgers without a look at the table.
      ledger(types),
      """
      CREATE INDEX credit_ledger_user_id ON credit_ledger (user_id, id, amount, balance_after)
      """,
      account(types), starterClaim(types), creditNotification(types),
    ] + refusals(types)
  }

  // A client that asks again and again does not fill the outbox.
  private static func refusals(_ types: SQLTypes) -> [String] {
    let isRefusal = "kind = 'starter_refused'"
    return types.mark("is_starter_refused", of: "outbox", where: isRefusal) + [
      """
      CREATE UNIQUE INDEX outbox_starter_refused ON outbox (reference, ftc_user_id\(
        types.mark("is_starter_refused")))\(types.rows(where: isRefusal))
      """
    ]
  }

  // Ours: credits_per_unit, which the metadata of the purchase's entry repeats.
  private static func creditTransaction(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_iap_transactions (
      id \(types.number),
      environment \(types.word) NOT NULL,
      transaction_id \(types.id) NOT NULL,
      user_id \(types.user),
      original_transaction_id \(types.id) NOT NULL,
      bundle_id \(types.id) NOT NULL,
      product_id \(types.text) NOT NULL,
      product_code \(types.text),
      quantity \(types.int) NOT NULL,
      credits_per_unit \(types.int),
      credits \(types.int),
      status \(types.text) NOT NULL,
      app_account_token \(types.text),
      purchase_date \(types.int) NOT NULL,
      ledger_event_id \(types.text),
      refund_round \(types.int) NOT NULL DEFAULT 0,
      last_event_signed_at \(types.int),
      created_at \(types.int) NOT NULL,
      updated_at \(types.int) NOT NULL,
      CONSTRAINT apple_iap_transactions_environment UNIQUE (environment, transaction_id))
    """
  }

  private static func ledger(_ types: SQLTypes) -> String {
    """
    CREATE TABLE credit_ledger (
      id \(types.number),
      user_id \(types.user) NOT NULL,
      environment \(types.word) NOT NULL,
      event_id \(types.id) NOT NULL,
      change_type \(types.text) NOT NULL,
      biz_type \(types.text) NOT NULL,
      biz_id \(types.text) NOT NULL,
      amount \(types.int) NOT NULL,
      balance_after \(types.int) NOT NULL,
      metadata \(types.long) NOT NULL,
      created_at \(types.int) NOT NULL,
      CONSTRAINT credit_ledger_environment UNIQUE (environment, event_id))
    """
  }

  private static func account(_ types: SQLTypes) -> String {
    """
    CREATE TABLE credit_account (
      user_id \(types.user) NOT NULL \(types.key("credit_account_key")),
      balance \(types.int) NOT NULL \(types.check("credit_account_balance", "balance >= 0")),
      updated_at \(types.int) NOT NULL)\(types.keyed)
    """
  }

  private static func starterClaim(_ types: SQLTypes) -> String {
    """
    CREATE TABLE register_bonus_claims (
      email_identity \(types.wide) NOT NULL \(types.key("register_bonus_claims_key")),
      user_id \(types.user),
      has_purchased_starter_pack \(types.flag) NOT NULL DEFAULT 0,
      starter_transaction_id \(types.text),
      starter_purchased_at \(types.int))\(types.keyed)
    """
  }

  private static func creditNotification(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_notifications (
      notification_uuid \(types.id) NOT NULL \(types.key("apple_notifications_key")),
      type \(types.text) NOT NULL,
      subtype \(types.text),
      environment \(types.word) NOT NULL,
      transaction_id \(types.id),
      signed_at \(types.int) NOT NULL,
      outcome \(types.text) NOT NULL,
      processed_at \(types.int) NOT NULL)\(types.keyed)
    """
  }
}
