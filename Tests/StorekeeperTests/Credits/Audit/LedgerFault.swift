import Testing

/// A fault in the ledger of a ``LedgerScene``, and every violation that it is.
struct LedgerFault: Sendable, CustomTestStringConvertible {
  let name: String
  let statements: [String]
  /// In JSON, as the audit reports them.
  let violations: [String]

  var testDescription: String { name }

  init(_ name: String, _ statements: String..., violating violations: [String]) {
    self.name = name
    self.statements = statements
    self.violations = violations.sorted()
  }

  private static let columns =
    "user_id, environment, event_id, change_type, biz_type, biz_id, amount, balance_after, metadata, created_at"

  private static func add(_ values: String) -> String {
    "INSERT INTO credit_ledger (\(columns)) VALUES (\(values), '{}', 0)"
  }

  private static func entry(
    _ id: Int, _ user: String, _ eventID: String, _ type: String, _ subjectID: String,
    _ amount: Int,
    _ environment: String = "Production"
  ) -> String {
    """
    "entry":{"amount":\(amount),"biz_id":"\(subjectID)","change_type":"\(type)",\
    "environment":"\(environment)","event_id":"\(eventID)","id":\(id),"user_id":"\(user)"}
    """
  }

  private static func row(
    _ id: Int, _ transactionID: String, _ status: String, _ user: String?,
    _ environment: String = "Production"
  ) -> String {
    let owner = user.map { ",\"user_id\":\"\($0)\"" } ?? ""
    return """
      "transaction":{"environment":"\(environment)","id":\(id),"status":"\(status)",\
      "transaction_id":"\(transactionID)"\(owner)}
      """
  }

  // MARK: Balances

  static let balances: [LedgerFault] = [
    LedgerFault(
      "an amount is changed", "UPDATE credit_ledger SET amount = -29 WHERE id = 3",
      violating: [
        #"{"balance":130,"sum":131,"user_id":"u1","violation":"balance_differs"}"#
      ]),
    LedgerFault(
      "an entry is removed",
      "DELETE FROM credit_ledger WHERE id = 1",
      violating: [
        #"{"balance":130,"sum":30,"user_id":"u1","violation":"balance_differs"}"#
      ]),
    LedgerFault(
      "the sum does not fit in 64 bits",
      "UPDATE credit_ledger SET amount = 9223372036854775807 WHERE id IN (1, 3)",
      violating: [
        #"{"balance":130,"sum":null,"user_id":"u1","violation":"balance_differs"}"#
      ]),
    LedgerFault(
      "a balance is changed", "UPDATE credit_account SET balance = 131 WHERE user_id = 'u1'",
      violating: [
        #"{"balance":131,"sum":130,"user_id":"u1","violation":"balance_differs"}"#,
        #"{"balance":131,"balance_after":130,"entry_id":3,"user_id":"u1","violation":"newest_balance_differs"}"#,
      ]),
    LedgerFault(
      "the newest entry has another balance",
      "UPDATE credit_ledger SET balance_after = 131 WHERE id = 3",
      violating: [
        #"{"balance":130,"balance_after":131,"entry_id":3,"user_id":"u1","violation":"newest_balance_differs"}"#
      ]),
    LedgerFault(
      "an earlier entry has another balance",
      "UPDATE credit_ledger SET balance_after = 161 WHERE id = 2",
      violating: [
        #"{"balance_after":161,"entry_id":2,"sum":160,"user_id":"u1","violation":"balance_after_differs"}"#
      ]),
    LedgerFault(
      "a balance is below 0, and the ledger agrees",
      "UPDATE credit_account SET balance = -5 WHERE user_id = 'u1'",
      "UPDATE credit_ledger SET amount = -165, balance_after = -5 WHERE id = 3",
      violating: [#"{"balance":-5,"user_id":"u1","violation":"balance_negative"}"#]),
    LedgerFault(
      "an account is missing", "DELETE FROM credit_account WHERE user_id = 'u2'",
      violating: [#"{"sum":60,"user_id":"u2","violation":"account_missing"}"#]),
    LedgerFault(
      "the last account is missing", "DELETE FROM credit_account WHERE user_id = 'u3'",
      violating: [#"{"sum":0,"user_id":"u3","violation":"account_missing"}"#]),
    LedgerFault(
      "accounts without entries, one of them empty",
      "INSERT INTO credit_account (user_id, balance, updated_at) VALUES ('u0', 7, 0)",
      "INSERT INTO credit_account (user_id, balance, updated_at) VALUES ('u10', 0, 0)",
      "INSERT INTO credit_account (user_id, balance, updated_at) VALUES ('u11', 8, 0)",
      "INSERT INTO credit_account (user_id, balance, updated_at) VALUES ('u9', 9, 0)",
      violating: [
        #"{"balance":7,"sum":0,"user_id":"u0","violation":"balance_differs"}"#,
        #"{"balance":8,"sum":0,"user_id":"u11","violation":"balance_differs"}"#,
        #"{"balance":9,"sum":0,"user_id":"u9","violation":"balance_differs"}"#,
      ]),
  ]

  // MARK: Purchases

  static let purchases: [LedgerFault] = [
    LedgerFault(
      "a second purchase of a transaction",
      add("'u1', 'Production', 'payment.apple_iap:1001:2', 'purchase', 'payment', '1', 0, 130"),
      violating: [
        "{\(entry(12, "u1", "payment.apple_iap:1001:2", "purchase", "1", 0)),"
          + "\(row(1, "1001", "granted", "u1")),\"user_id\":\"u1\",\"violation\":\"entry_unexpected\"}"
      ]),
    LedgerFault(
      "a purchase among the host's own entries",
      add("'u1', '', 'own', 'purchase', 'payment', '1', 0, 130"),
      violating: [
        "{\(entry(12, "u1", "own", "purchase", "1", 0, "")),\"user_id\":\"u1\","
          + "\"violation\":\"transaction_missing\"}"
      ]),
    LedgerFault(
      "an entry of a purchase that is of no such kind",
      "UPDATE credit_ledger SET change_type = 'bonus' WHERE id = 2",
      violating: [
        "{\(entry(2, "u1", "payment.apple_iap:1001", "bonus", "1", 60)),"
          + "\(row(1, "1001", "granted", "u1")),\"user_id\":\"u1\",\"violation\":\"entry_unexpected\"}"
      ]),
    LedgerFault(
      "granted without a purchase",
      """
      UPDATE apple_iap_transactions SET status = 'granted', user_id = 'u1', credits = 9,
        ledger_event_id = 'payment.apple_iap:1004' WHERE id = 4
      """,
      violating: [
        "{\"change_type\":\"purchase\",\"event_id\":\"payment.apple_iap:1004\","
          + "\(row(4, "1004", "granted", "u1")),\"user_id\":\"u1\",\"violation\":\"entry_missing\"}"
      ]),
    LedgerFault(
      "a purchase without a grant",
      "UPDATE apple_iap_transactions SET status = 'open', user_id = NULL WHERE id = 6",
      violating: [
        "{\(entry(11, "u2", "payment.apple_iap:1001", "purchase", "6", 60, "Sandbox")),"
          + "\(row(6, "1001", "open", nil, "Sandbox")),\"user_id\":\"u2\","
          + "\"violation\":\"entry_unexpected\"}"
      ]),
    LedgerFault(
      "another amount than the row's",
      "UPDATE apple_iap_transactions SET credits = 61 WHERE id = 1",
      violating: [
        "{\(entry(2, "u1", "payment.apple_iap:1001", "purchase", "1", 60)),\"expected\":61,"
          + "\(row(1, "1001", "granted", "u1")),\"user_id\":\"u1\",\"violation\":\"amount_differs\"}"
      ]),
    LedgerFault(
      "another owner than the row's",
      "UPDATE apple_iap_transactions SET user_id = 'u1' WHERE id = 6",
      violating: [
        "{\(entry(11, "u2", "payment.apple_iap:1001", "purchase", "6", 60, "Sandbox")),"
          + "\(row(6, "1001", "granted", "u1", "Sandbox")),\"user_id\":\"u2\","
          + "\"violation\":\"owner_differs\"}"
      ]),
    LedgerFault(
      "a transaction that is not stored", "DELETE FROM apple_iap_transactions WHERE id = 6",
      violating: [
        "{\(entry(11, "u2", "payment.apple_iap:1001", "purchase", "6", 60, "Sandbox")),"
          + "\"user_id\":\"u2\",\"violation\":\"transaction_missing\"}"
      ]),
    LedgerFault(
      "a number of a transaction that is none",
      "UPDATE credit_ledger SET biz_id = '06' WHERE id = 11",
      violating: [
        "{\(entry(11, "u2", "payment.apple_iap:1001", "purchase", "06", 60, "Sandbox")),"
          + "\"user_id\":\"u2\",\"violation\":\"transaction_missing\"}"
      ]),
    LedgerFault(
      "a row without its event",
      "UPDATE apple_iap_transactions SET ledger_event_id = NULL WHERE id = 1",
      violating: [
        "{\(row(1, "1001", "granted", "u1")),\"user_id\":\"u1\","
          + "\"violation\":\"transaction_incomplete\"}"
      ]),
    LedgerFault(
      "a row without its owner",
      "UPDATE apple_iap_transactions SET user_id = NULL WHERE id = 1",
      violating: [
        "{\(row(1, "1001", "granted", nil)),\"violation\":\"transaction_incomplete\"}"
      ]),
  ]

  // MARK: Refunds

  static let refunds: [LedgerFault] = [
    LedgerFault(
      "refunded without a refund",
      "UPDATE apple_iap_transactions SET status = 'refunded' WHERE id = 1",
      violating: [
        "{\"change_type\":\"refund\",\"event_id\":\"payment.apple_iap.refund:1001\","
          + "\(row(1, "1001", "refunded", "u1")),\"user_id\":\"u1\",\"violation\":\"entry_missing\"}"
      ]),
    LedgerFault(
      "an open refund of a granted transaction",
      "UPDATE apple_iap_transactions SET status = 'granted' WHERE id = 2",
      violating: [
        "{\(entry(5, "u2", "payment.apple_iap.refund:1002", "refund", "2", -500)),"
          + "\(row(2, "1002", "granted", "u2")),\"user_id\":\"u2\",\"violation\":\"entry_unexpected\"}"
      ]),
    LedgerFault(
      "two open refunds",
      add("'u2', 'Production', 'payment.apple_iap.refund:1002:2', 'refund', 'payment', '2', 0, 60"),
      violating: [
        "{\(entry(12, "u2", "payment.apple_iap.refund:1002:2", "refund", "2", 0)),"
          + "\(row(2, "1002", "refunded", "u2")),\"user_id\":\"u2\",\"violation\":\"entry_unexpected\"}"
      ]),
    LedgerFault(
      "a refund that gives",
      "UPDATE credit_ledger SET amount = 1, balance_after = 501 WHERE id = 5",
      "UPDATE credit_ledger SET balance_after = 561 WHERE id = 11",
      "UPDATE credit_account SET balance = 561 WHERE user_id = 'u2'",
      violating: [
        "{\(entry(5, "u2", "payment.apple_iap.refund:1002", "refund", "2", 1)),\"expected\":-500,"
          + "\(row(2, "1002", "refunded", "u2")),\"user_id\":\"u2\",\"violation\":\"amount_differs\"}"
      ]),
    LedgerFault(
      "a reversal of another amount than the refund's",
      "UPDATE credit_ledger SET amount = 24, balance_after = 24 WHERE id = 9",
      "UPDATE credit_ledger SET amount = -24 WHERE id = 10",
      violating: [
        "{\(entry(9, "u3", "payment.apple_iap.refund_reversed:1003", "refund_reversal", "3", 24)),"
          + "\"expected\":25,\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\","
          + "\"violation\":\"amount_differs\"}"
      ]),
    LedgerFault(
      "a round that was not reversed",
      "UPDATE apple_iap_transactions SET refund_round = 2 WHERE id = 3",
      violating: [
        "{\"change_type\":\"refund_reversal\","
          + "\"event_id\":\"payment.apple_iap.refund_reversed:1003:2\","
          + "\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\",\"violation\":\"entry_missing\"}"
      ]),
    LedgerFault(
      "more rounds than anybody can count",
      "UPDATE apple_iap_transactions SET refund_round = 9223372036854775807 WHERE id = 3",
      violating: [
        "{\"change_type\":\"refund_reversal\","
          + "\"event_id\":\"payment.apple_iap.refund_reversed:1003:2\","
          + "\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\",\"violation\":\"entry_missing\"}"
      ]),
    LedgerFault(
      "a reversal and a refund of no round",
      "UPDATE apple_iap_transactions SET refund_round = 0 WHERE id = 3",
      violating: [
        "{\(entry(9, "u3", "payment.apple_iap.refund_reversed:1003", "refund_reversal", "3", 25)),"
          + "\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\",\"violation\":\"entry_unexpected\"}",
        "{\(entry(10, "u3", "payment.apple_iap.refund:1003:2", "refund", "3", -25)),"
          + "\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\",\"violation\":\"entry_unexpected\"}",
      ]),
  ]

  // MARK: Refunds in several shares

  private static func share(
    _ suffix: String, of id: Int, _ user: String, _ amount: Int, leaving balance: Int
  ) -> String {
    add(
      "'\(user)', 'Production', 'payment.apple_iap.refund:100\(id):\(suffix)', 'refund', 'payment', '\(id)', \(amount), \(balance)"
    )
  }

  /// Five credits that u3 gets.
  private static let five = add("'u3', '', 'bonus:9', 'bonus', 'campaign', '9', 5, 5")

  static let shares: [LedgerFault] = [
    LedgerFault(
      "no fault: a second share of the open refund", five,
      share("2.2", of: 3, "u3", -5, leaving: 0), violating: []),
    LedgerFault(
      "a share without the one before it", share("2.3", of: 3, "u3", 0, leaving: 0),
      violating: [
        "{\(entry(12, "u3", "payment.apple_iap.refund:1003:2.3", "refund", "3", 0)),"
          + "\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\",\"violation\":\"entry_unexpected\"}"
      ]),
    LedgerFault(
      "a share that has the number of the refund itself",
      share("2.1", of: 3, "u3", 0, leaving: 0),
      violating: [
        "{\(entry(12, "u3", "payment.apple_iap.refund:1003:2.1", "refund", "3", 0)),"
          + "\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\",\"violation\":\"entry_unexpected\"}"
      ]),
    LedgerFault(
      "shares that take more than was given", share("1.2", of: 2, "u2", -1, leaving: 59),
      "UPDATE credit_account SET balance = 59 WHERE user_id = 'u2'",
      violating: [
        "{\(entry(12, "u2", "payment.apple_iap.refund:1002:1.2", "refund", "2", -1)),\"expected\":0,"
          + "\(row(2, "1002", "refunded", "u2")),\"user_id\":\"u2\",\"violation\":\"amount_differs\"}"
      ]),
    LedgerFault(
      "a reversal of the first share only", five, share("1.2", of: 3, "u3", -5, leaving: 0),
      violating: [
        "{\(entry(9, "u3", "payment.apple_iap.refund_reversed:1003", "refund_reversal", "3", 25)),"
          + "\"expected\":30,\(row(3, "1003", "refunded", "u3")),\"user_id\":\"u3\","
          + "\"violation\":\"amount_differs\"}"
      ]),
  ]

  static let all = balances + purchases + refunds + shares
}
