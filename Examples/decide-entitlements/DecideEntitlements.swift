import JSONValues
import StorekeeperToolSupport

/// Decides what users may use, one situation as a JSON object a line, and prints one answer a line.
@main
enum DecideEntitlements {
  static let usage = """
    usage: decide-entitlements [--table]

    Reads situations, one JSON object a line, from standard input, and prints one answer a line.

      {"userId":"u1", "bundleId":"com.example.draw", "now":"2026-04-28T09:30:00Z",
       "list":[{"identifier":"com.example.draw.brushes", "productType":"nonConsumable"}, …],
       "options":{"graceDays":7, "statusTTL":1209600, "environments":["Production","Sandbox"],
                  "testers":["u1"],
                  "days":{"com.example.draw.pass":30}, "bundledApplicationIDs":["com.example.paint"],
                  "multiAppSubscriptionMarker":".multiApp.", "markerStrategy":"substring"|"attribute"},
       "purchased":["com.example.draw.frames"],
       "subscriptions":[{"bundleId":…, "productId":…, "environment":"Production",
                         "originalTransactionId":…, "lastPurchaseAt":…, "expiresAt":…,
                         "gracePeriodExpiresAt":…, "cancellationAt":…, "renewable":true,
                         "firstFailureAt":…}],
       "transactions":[{…}], "renewalInfos":[{…}],
       "acquired":["com.example.draw.brushes"],
       "validations":[{"bundleId":…, "validatedAt":…, "firstFailureAt":…}],
       "acquire":["com.example.draw.paper"], "acquireAll":false}

    "list" is the product list of the app. "transactions" and "renewalInfos" are what Apple signed,
    with Apple's names; that they verify is not checked here. "purchased" and "subscriptions" are
    added to what follows from them. Subscriptions of other apps count if the options say so.
    The Sandbox counts for "testers" as well, of whom "userId" may be one; "purchased" is of
    Production. Moments are whole seconds in UTC, "statusTTL" is in seconds. Only "now" and "list"
    are needed; a member that is absent or null means: nobody, no bundle ID, the default options, nothing stored, and
    nothing to acquire. In a subscription, "bundleId" is that of the situation, "environment" is
    Production, "originalTransactionId" is empty, and "lastPurchaseAt" is "now". "firstFailureAt" of a
    validation is that of every subscription of the app, unless one of them has its own.

      {"allowedProducts":[…], "acquiredProducts":[…], "purchasedProducts":[…], "unknownProducts":[…],
       "subscription":{"bundleId":…, "productId":…, "environment":…, "originalTransactionId":…,
                       "active":true, "expiresAt":…, "accessUntil":…, "cancelledAt":…}|null,
       "stale":false, "suspended":false, "nextValidationAt":…|null,
       "routes":{each listed product: "storePurchase"|"acquire"|the reason of a refusal},
       "acquire":{each product to acquire: "created"|"held"|the reason of a refusal},
       "acquireAll":[what would be created]|the reason of a refusal|null,
       "warnings":[the codes of the list, and "subscription_not_listed"]}

    A line that is no situation gives {"line":N,"path":…,"error":…}.

      --table   print tables of the rules as Markdown, each row decided anew

    Exit status: 0 when every line was decided, 1 when any was no situation, 2 on usage errors.

    """

  static func main() {
    DecisionProgram(name: "decide-entitlements", usage: usage, table: { RuleTables.markdown }) {
      line throws(LineFailure) in
      try Situation(LineMembers(parsing: line)).answer
    }.run()
  }
}
