/// What `--help` says.
enum Usage {
  static let text = """
    usage: storekeeper-server [FLAGS]
           storekeeper-server digest        reads a token from standard input, prints its digest
           storekeeper-server decode [FLAGS]  decodes again the notifications that were authentic but
                                            not decoded when they came, applies them, prints how
                                            many; the server does so at its start, too

    Serves the subscription API over HTTP: the current contract under /api/v1 and /api/sandbox, that
    of 2019 under /2019/api/v1 and /2019/api/sandbox; and GET /health and GET /ready.

    Each setting is a flag, or a variable of the environment, or a key of a JSON file; flags come
    before variables, variables before the file. Such as: --app-store-url, STOREKEEPER_APP_STORE_URL,
    "appStoreUrl". A list is a flag that is repeated, a variable with commas, and in the file an
    array, or an object: {"product": {"com.example.monthly": "standard/month"}}.

      --config FILE              the file (or STOREKEEPER_CONFIG)

      --listen HOST:PORT         where to listen; by default 127.0.0.1:8080, and port 0 is a free one
      --database DATABASE        sqlite:FILE (by default sqlite:storekeeper.sqlite) or postgres://…;
                                 the password better in PGPASSFILE
      --app BUNDLE=APPLE_ID      an app, with the number of its App Store address; a list, needed
      --product ID=TIER/CYCLE    a product that is a membership: standard or premium, month or year;
                                 a list, needed
      --token NAME=DIGEST        who may ask, by the digest of a token; @TIME behind it ends it; a
                                 list, needed
      --account FTC_ID[=UNION]   an account that the host knows; a list
      --accept-any-account       every account is known, instead
      --shared-secret TEXT       the app's secret from App Store Connect; better not as a flag, which
                                 others on the machine can read
      --environment NAME         whose purchases may change memberships: Production (the default),
                                 Sandbox; a list
      --strict-switch            refuse to switch to a subscription that ends earlier
      --receipts FOLDER          keep copies of receipts as files

      --threads N                that read, write and begin to answer; by default one a processor, at
                                 most 4
      --body-limit BYTES         by default 1048576
      --body-memory-limit BYTES  of the bodies of all connections together; by default 268435456
      --address-body-memory-limit BYTES
                                 of the bodies that come from one address without a token, as
                                 notifications do; by default 16777216, and 0 for no limit
      --address-connection-limit N
                                 from one address; by default 2048, and 0 for no limit, as behind a
                                 proxy
      --header-limit BYTES       by default 16384
      --connection-limit N       by default 4096
      --database-timeout SECONDS how long a request tries a PostgreSQL that is out of reach, before its
                                 status 500; by default 2
      --idle-timeout SECONDS     by default 30
      --request-timeout SECONDS  to send a request, and to take an answer; by default 30
      --stop-timeout SECONDS     what SIGTERM grants requests that run; by default 30
      --outbox-interval SECONDS  how often messages are delivered; by default 5
      --refresh-interval SECONDS how often subscriptions that end soon are refreshed; by default 3600
      --retention-webhooks DAYS  how long it is kept that Apple sent a notification; by default for ever,
                                 at least 7
      --retention-sessions DAYS  the same for verifications of receipts
      --retention-snapshots DAYS the same for copies of memberships as they were

    For tests only, as the server then believes what Apple has not said:

      --app-store-url URL        what answers in Apple's place, at URL/production/verifyReceipt and
                                 URL/sandbox/verifyReceipt
      --test-root FILE           the certificate that signed notifications end at, instead of Apple's
      --allow-test-root          allows --test-root, and http in --app-store-url

    Prints "listening on http://HOST:PORT" when it is ready, then one JSON object a request; its other
    logs go to standard error. SIGTERM and SIGINT end it after the requests that it has.

    Exit status: 0 when it was stopped, 64 for wrong settings, 69 where it cannot start, 70 where it
    could not end what it had begun within 10 seconds more than --stop-timeout.

    """
}
