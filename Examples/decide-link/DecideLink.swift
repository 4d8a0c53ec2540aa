import StorekeeperToolSupport

/// Decides about proposals from standard input, one JSON object a line, and prints one a line.
@main
enum DecideLink {
  static let usage = """
    usage: decide-link [--table]

    Reads proposals, one JSON object a line, from standard input, and prints one decision a line.

      {"contract":"current"|"2019", "action":"link"|"unlink"|"sync",
       "now":"2020-11-14T08:00:00Z", "force":false, "strictSwitch":false,
       "allowedEnvironments":["Production"], "testers":["u1"],
       "transfer":"never"|"ifLapsed"|"always", "sandboxTransfer":…, "transferDates":[…],
       "account":{"ftcId":…,"unionId":…}, "subscription":{…},
       "accountMembership":{…}|null, "subscriptionMembership":{…}|null}

    "now" and "subscription" are needed; "account" for linking, its "ftcId" for unlinking under
    the current contract. What else is absent or null is as above: contract "current", action
    "link", no force, no strict switch, Production only, no testers, no transfer, never moved,
    no membership. The Sandbox counts for testers as well, who are accounts by either id. A
    subscription moves twice within 30 days at most. The two memberships are the rows found by the
    account and by the Apple id, the second also when its Apple id is stale.

      {"decision":"link"|"sync"|"unchanged"|"switch"|"override"|"transfer"|"unlink"|"refuse",
       "field":…, "code":…, "status":200|204|422,
       "writes":[any of "claim","membership","snapshot","dispute","archive","email"],
       "membership":{the membership of the account, or with "sync" of the subscription,
                     afterwards}|null}

    A line that is no proposal gives {"line":N,"path":…,"error":…}.

      --table   print the outcome table of both contracts as Markdown, each row decided anew

    Exit status: 0 when every line was decided, 1 when any was no proposal, 2 on usage errors.

    """

  static func main() {
    DecisionProgram(name: "decide-link", usage: usage, table: { OutcomeTable.markdown }) {
      line throws(LineFailure) in
      Answer(to: try Question(line)).line
    }.run()
  }
}
