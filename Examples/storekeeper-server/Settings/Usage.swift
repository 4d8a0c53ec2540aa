/// The output of `--help`.
enum Usage {
  static var text: String {
    [
      head, describe([.file]), describe(Setting.service + Setting.accounts), aboutMail,
      describe(Setting.mailSettings), aboutEvents, describe(Setting.eventSettings),
      aboutForwarding, describe(Setting.forwarding), aboutMoney, describe(Setting.money),
      aboutCredits,
      describe(Setting.credits), aboutEntitlements, describe(Setting.entitlements),
      aboutOrders, describe(Setting.orders), aboutLimits,
      describe(Setting.limits), aboutDesk, describe(Setting.desk), aboutFigures,
      describe(Setting.figures),
      aboutAppStore, describe(Setting.appStore), aboutTests, describe(Setting.tests),
      tail,
    ].joined(separator: "\n\n") + "\n"
  }

  private static let head = """
    usage: storekeeper-server [FLAGS]
           storekeeper-server --version     prints the version
           storekeeper-server digest        reads a token from standard input, prints its digest
           storekeeper-server decode [FLAGS]  decodes again the notifications that were authentic but
                                            not decoded when they came, applies them, prints how
                                            many; the server does so at its start, too
           storekeeper-server reconcile ID [FLAGS]  reads the whole history of the customer with this
                                            transaction ID from Apple, repairs what is stored, and
                                            prints what it found
           storekeeper-server end-testing [FLAGS]  before a release: what testers bought in the Sandbox
                                            counts for nothing from now on, on every server of this
                                            database; prints the moment
           storekeeper-server resume-testing [FLAGS]  undoes that
           storekeeper-server parked [FLAGS]  prints the messages of the outbox that cannot be
                                            delivered as things are, with the reason
           storekeeper-server resend NUMBER|all [FLAGS]  frees such a message, or all, so that the
                                            server tries again; prints how many
           storekeeper-server discard NUMBER [FLAGS]  removes such a message
           storekeeper-server events [POSITION] [FLAGS]  prints the events that are kept, all or those
                                            after this position, one JSON object a line
           storekeeper-server replay NAME AFTER THROUGH [FLAGS]  sends the events behind one position up
                                            to another to this endpoint again; prints how many
           storekeeper-server enable NAME [FLAGS]  has an endpoint that was disabled, as it answered
                                            410, get events again, or a server of --forward
                                            notifications
           storekeeper-server drop NAME [FLAGS]  removes all that waits, or is parked, for an endpoint or
                                            a server of --forward, also one that the settings no longer
                                            name; prints how many
           storekeeper-server erase [--] ACCOUNT [--second-id ID] [--reference TEXT] [--dry-run] [FLAGS]  erases
                                            all that is known about an account, also under its other
                                            identifier; the ledger and disputes are kept
                                            under a pseudonym. The event about it has the reference.
                                            Prints the pseudonym and how many rows of each kind; with
                                            --dry-run nothing is erased. An account that begins
                                            with -- stands behind --
           storekeeper-server disputes [MS] [FLAGS]  prints the claims of accounts to subscriptions of
                                            others, all or since this time in milliseconds since
                                            1970, oldest first
           storekeeper-server compare-catalog [FLAGS]  prints where the products of the settings differ
                                            from the Play Console, which it asks; the status is 1 if
                                            they do
           storekeeper-server recover [MS] [FLAGS]  recovers the notifications that did not arrive
                                            since the last time, or all since this time in
                                            milliseconds since 1970, and prints how many
           storekeeper-server rebuild --since TIME [FLAGS]  after a restore from a backup of this time,
                                            or a failover that lost commits: brings back what Apple
                                            and Google know, logs how far it is, and prints what it
                                            found, and since when events may be lost that nobody else
                                            knows. Stopped, it goes on there when it is run again
           storekeeper-server import KIND FILE [--mapping FILE] [--report FILE] [--dry-run] [FLAGS]
                                            gives accounts the purchases that they have in another
                                            system, each after its store was asked. KIND is receipts,
                                            transactions or tokens (a line each: account, tab, evidence),
                                            csv with a mapping of its columns, revenuecat or onesub. The
                                            report is a table of the rows that were refused, and why.
                                            Stopped, it goes on there when it is run again
           storekeeper-server export [--with-evidence] [FLAGS]  prints all that is known about
                                            customers, one JSON object a line; with their receipts
                                            and purchase tokens if that is said
           storekeeper-server report [OPTIONS] [FLAGS]  prints the figures of the business that
                                            --money-figures keeps: those of the last twelve months, or
                                            with --month of one or of some (2026-01..2026-06); by
                                            --by product, country or vendor; as --format table, csv or
                                            svg. Currencies stay apart, unless --in USD and --rate
                                            EUR=1.08 and so on say what a unit of each is worth.
                                            --sandbox has those of the Sandbox, and --recount counts
                                            everything anew before

    Serves the subscription API over HTTP: the current contract under /api/v1 and /api/sandbox, that
    of 2019 under /2019/api/v1 and /2019/api/sandbox; and GET /health and GET /ready. With
    --credit-products also that of credits under /api/v1, with --catalog that of entitlements under
    /api/v1/store, with --levels that of orders under /api/v1/subscription, and without --product
    nothing else.

    Each setting is a flag, or a variable of the environment, or a key of a JSON file; flags come
    before variables, variables before the file. Such as: --app-store-url, STOREKEEPER_APP_STORE_URL,
    "appStoreUrl". A list is a flag that is repeated, a variable with commas, and in the file an
    array, or an object: {"product": {"com.example.monthly": "standard/month"}}.
    """

  private static let aboutMail = """
    For e-mails to customers, when a subscription was linked or unlinked:
    """

  private static let aboutEvents = """
    For events, which tell other programs of the host what happens:
    """

  private static let aboutForwarding = """
    For further servers that want the notifications of the stores, such as one for tests; they may be in
    a private network with --webhook-private:
    """

  private static let aboutMoney = """
    For figures of the business:
    """

  private static let aboutCredits = """
    For credits; the host's own services book entries with a token of --token:
    """

  private static let aboutEntitlements = """
    For entitlements, which users may ask for with a session (--session-key), and services of the host
    with a token of --token:
    """

  private static let aboutOrders = """
    For orders of subscription levels, which users make with a session (--session-key):
    """

  private static let aboutLimits = """
    Limits, and how often work is done:
    """

  private static let aboutDesk = """
    For the desk of support, which shows what a customer has and why:
    """

  private static let aboutFigures = """
    Figures and traces:
    """

  private static let aboutAppStore = """
    With a key for the App Store Server API, which then comes before verifyReceipt:
    """

  private static let aboutTests = """
    For tests only, as the server then believes what Apple has not said:
    """

  private static let tail = """
    Prints "listening on http://HOST:PORT" when it is ready, then one JSON object a request; its other
    logs go to standard error. SIGTERM and SIGINT end it after the requests that it has.

    Exit status: 0 when it was stopped, 64 for wrong settings, 69 where it cannot start (or do another
    task), 70 where it could not end what it had begun within 10 seconds more than
    --stop-timeout. SIGHUP reads --credit-products again, --levels, --catalog with --catalog-key,
    --statement-key, --token, and the accounts: --account, --user, --user-language, --account-token. What is
    refused changes nothing, and the log tells why.
    """

  /// The descriptions, each beside its flag.
  private static func describe(_ settings: [Setting]) -> String {
    settings.map { setting in
      var flag =
        "  " + setting.flag + (setting.placeholder.isEmpty ? "" : " " + setting.placeholder)
      // A flag that is too long has a line of its own.
      if flag.count >= indent.count {
        flag += "\n" + indent
      } else {
        flag += indent.dropFirst(flag.count)
      }
      return flag + setting.help.split(separator: "\n").joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }

  private static let indent = String(repeating: " ", count: 29)
}
