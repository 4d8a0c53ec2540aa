/// The text that `--help` prints.
enum Usage {
  static let text = """
    usage: ask-app-store CALL ... --key FILE.p8 --key-id K --issuer-id I --bundle-id B
             [--app-apple-id N] [--environment production|sandbox|auto] [--root FILE.der]...
             [--production-url URL] [--sandbox-url URL] [--allow-http] [--patience SECONDS]

    Asks the App Store Server API, verifies what is signed in the answer, and prints one JSON
    object a line. Options may stand before and after the call. ID is a transaction ID, and mostly
    also an original transaction ID or an app transaction ID of the customer; MS is a time in
    milliseconds since 1970; JSON is the text itself, @FILE, or - for standard input.

    Purchases of a customer; history and refunds print a line a transaction, and at last
    {"revision":...,"pages":...,"host":...} with the revision to pass the next time, or null
      history ID [--sort ascending|descending] [--product-id P]... [--product-type T]...
              [--group G]... [--ownership O] [--revoked true|false] [--start MS] [--end MS]
              [--revision R]
      refunds ID [--revision R]
      transaction ID
      app-transaction ID
      statuses ID [--status N]...
      order ORDERID
      groups ID
      group-members GROUP [--limit N] [--page-token T]

    Changes; they need --environment production or sandbox
      set-token ORIGINALID UUID
      finish ID
      consumption ID JSON           of version 1 if its deliveryStatus is a number
      extend ORIGINALID DAYS REASON REQUESTID
      extend-all JSON
      extend-all-status PRODUCT REQUESTID
      advanced-commerce cancel|change-metadata|change-price|migrate|revoke|request-refund ID JSON
      external-report send JSON     where the report's own identifier says
      external-report get UUID

    Notifications, and retention messages; these need an environment too
      notifications --start MS --end MS [--only-failures] [--type T [--subtype S]]
              [--transaction ID]
      test-notification [--wait SECONDS]
      test-notification-status TOKEN
      image-list
      upload-image UUID FILE.png [--size full_size|bullet_point]
      delete-image UUID
      message-list
      upload-message UUID JSON
      delete-message UUID
      default-message get|delete PRODUCT LOCALE
      default-message set PRODUCT LOCALE UUID
      realtime-url get|delete
      realtime-url set URL
      performance-test ORIGINALID
      performance-test-result REQUESTID

      --key FILE.p8         the In-App Purchase key of App Store Connect
      --key-id K            its ID
      --issuer-id I         the ID of the issuer, a UUID
      --bundle-id B         the app
      --app-apple-id N      the number that Apple gave the app; not needed for the Sandbox
      --environment E       the server to ask; by default auto: Production, then the Sandbox if
                            Production doesn't know the ID, for calls that read by one
      --root FILE.der       a trust anchor instead of Apple's root; may be repeated
      --production-url URL, --sandbox-url URL
                            servers in the place of Apple's; with --allow-http also without TLS
      --patience SECONDS    the time for a call with its repetitions; 60 by default

    Exit status: 0 when the call was answered, 1 when it was refused by Apple or before sending
    ({"outcome":"refused",...}), 2 on usage errors, 3 when nobody knows ({"outcome":"failed",...}).

    """
}
