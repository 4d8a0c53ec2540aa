import JSONValues
import StorekeeperToolSupport

/// Decides on orders and on stored subscriptions, one JSON object a line, and prints one decision a line.
@main
enum DecideOrder {
  static let usage = """
    usage: decide-order [--table]

    Reads cases, one JSON object a line, from standard input, and prints one decision a line.

      {"purpose":"order"|"revalidation", "now":"2026-04-28T09:30:00Z",
       "levels":[{"name":"Pro", "description":"Ten portfolios", "portfolioLimit":10, "fee":9.99,
                  "appleProductId":"com.example.snips.pro", "googleProductId":"pro_monthly"}],
       "environments":["Production"], "testers":["u1"],
       "userId":"u1", "vendor":"apple"|"google", "receiptData":"…",
       "stored":{"level":"Pro", "vendor":"apple", "environment":"Production",
                 "purchase_key":"production:1",
                 "subscriptionReceiptData":"…", "subscriptionExpiration":"2026-05-28T09:30:00Z",
                 "validated_at":"2026-04-27T09:30:00Z"}|null,
       "claims":[{"vendor":"apple", "purchase_key":"production:1", "user_id":"u1"}],
       "markedUser":"u1"|null, "mayMove":false,
       "answer":{"valid":{"productId":"com.example.snips.pro", "planId":"MONTHLY"|null,
                          "expiration":"2026-05-28T09:30:00Z", "environment":"Production",
                          "purchaseKey":"production:1",
                          "newReceiptData":"…", "linkedPurchaseKey":…, "asked":true}}}

    or, in "answer", {"explicitFailure":{"reason":"expired", "purchaseKey":…}} with one of invalid,
    expired, no_subscription, payment_pending, or {"incidentalFailure":{"reason":"busy",
    "retryAfter":120, "needsAttention":false}} with one of unreachable, busy, unreadable, refused,
    doubtful, paymentPending, otherApp.

    "answer" is the word of the vendor, which is not asked here. "stored" is the user's row of table
    user_subscriptions, and "claims" the rows of table subscription_claims. "markedUser" is the user
    for whom an app marked the purchase; with "mayMove" the host lets it move from others. An order needs "vendor", a revalidation "stored". A member
    that is absent or null means: purpose "order", nothing stored, no claims, no mark; the vendor was
    asked; purchases are of Production, and those of both environments count; "receiptData" is "-".
    The Sandbox counts for "testers" as well. Moments are whole seconds in UTC, "retryAfter" is in seconds.

      {"decision":"accept"|"keep"|"refuse"|"unavailable"|"update"|"remove",
       "code":…, "status":200|422|503, "retryAfter":…, "needsAttention":false,
       "subscription":{what the user is shown}|null, "stored":{the row afterwards}|null,
       "claim":the key of the purchase that the user has claimed then|null}

    "stored" can be given to the next case. A line that is no case gives {"line":N,"path":…,"error":…}.

      --table   print the tables of the rules as Markdown, each row decided anew

    Exit status: 0 when every line was decided, 1 when any was no case, 2 on usage errors.

    """

  static func main() {
    DecisionProgram(name: "decide-order", usage: usage, table: { RuleTables.markdown }) {
      line throws(LineFailure) in
      try OrderCase(LineMembers(parsing: line)).answer.line
    }.run()
  }
}
