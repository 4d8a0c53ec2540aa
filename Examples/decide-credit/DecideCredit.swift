import JSONValues
import StorekeeperToolSupport

/// Decides about the credits of purchases and refunds, one JSON object a line, and prints one a line.
@main
enum DecideCredit {
  static let usage = """
    usage: decide-credit [--table]

    Reads cases, one JSON object a line, from standard input, and prints one decision a line.

    A user's wish to get the credits of a purchase:

      {"action":"grant",
       "products":{"welcome_pack":{"app_store_product_id":"com.example.gems.welcome",
                   "credits":60, "type":"starter"|"standard", "sort_order":0, "enabled":true}},
       "claim":{"userId":"u1", "productCode":"welcome_pack",
                "appStoreProductId":"com.example.gems.welcome",
                "transactionId":"2000000900000001", "appAccountToken":"…"},
       "hostToken":"…", "transaction":{…}, "stored":{…}|null, "starterUsed":false,
       "balance":100, "nextId":41}

    Apple's news about a transaction:

      {"action":"notice",
       "notification":{"notificationType":"REFUND", "notificationUUID":"…", "signedDate":…},
       "transaction":{…}, "stored":{…}|null, "balance":100, "refund":{…}|null, "shares":[…],
       "clawbackTypes":["REFUND","REVOKE","DID_FAIL_TO_RENEW"],
       "partialRefunds":"whole"|"share", "nextId":41}

    "transaction" is what Apple signed, with Apple's names. That it verifies is not checked here.
    "stored" is the row of table apple_iap_transactions with its columns:

      {"id":41, "user_id":"u1", "environment":"Production", "transaction_id":"2000000900000001",
       "original_transaction_id":…, "bundle_id":…, "product_id":…, "product_code":"welcome_pack",
       "quantity":1, "credits":60, "credits_per_unit":60,
       "status":"granted"|"refunded"|"revoked_pending"|"open", "app_account_token":…,
       "purchase_date":…, "ledger_event_id":"payment.apple_iap:2000000900000001",
       "refund_round":0, "last_event_signed_at":…}

    "balance" is the balance of the user, or of the row's owner; "refund" the entry of the open
    refund, needed to take it back or to add a share, and "shares" those of its further shares;
    "nextId" the number that a new row gets. Dates are milliseconds since 1970, and
    "refund_round" is 0 to 1000000000. A member that is absent or null means: action "grant", no
    token, no row, starter pack not used, balance 0, nextId 1, the three clawbackTypes,
    partialRefunds "whole", no shares; in a product type "standard", sort_order 0, enabled; in a row quantity 1,
    refund_round 0, original_transaction_id as transaction_id.

      {"decision":"granted"|"already_granted"|"refused"|"clawed_back"|"restored"|"pending"|
                  "cleared"|"no_change"|"superseded"|"ignored_type",
       "code":…, "reason":…, "status":200|404|409|422,
       "creditsAdded":…, "newBalance":…, "ledgerEventId":…,
       "writes":[any of "notification","transaction","claim","account","entry"],
       "stored":{the row afterwards}|null, "entry":{the new entry of the ledger}|null}

    A reversal that comes late also has "shares", the entries of the refunds that it leaves.
    "stored" and "entry" can be given to the next case, the entry of a refund as "refund". A line
    that is no case gives {"line":N,"path":…,"error":…}.

      --table   print the tables of the rules as Markdown, each row decided anew

    Exit status: 0 when every line was decided, 1 when any was no case, 2 on usage errors.

    """

  static func main() {
    DecisionProgram(name: "decide-credit", usage: usage, table: { RuleTables.markdown }) {
      line throws(LineFailure) in
      let members = try LineMembers(parsing: line)
      switch try members.choice("action") ?? Action.grant {
      case .grant: return try GrantQuestion(members).answer.line
      case .notice: return try NoticeQuestion(members).answer().line
      }
    }.run()
  }

  enum Action: String, CaseIterable {
    case grant, notice
  }
}
