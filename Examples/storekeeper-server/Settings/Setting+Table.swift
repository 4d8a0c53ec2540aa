import JWSVerifier
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import Storekeeper
import StorekeeperHTTP
import StorekeeperMicroHTTPServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The table of settings, in the order of `--help`.

extension Setting {
  static let all =
    [file] + service + accounts + mailSettings + eventSettings + forwarding + money + credits
    + entitlements + orders + limits + desk + figures + appStore + tests

  static let file = Setting(
    "config", "FILE", form: "a file", "the file (or STOREKEEPER_CONFIG)"
  ) { _, _ in }

  static let service = [
    Setting(
      "listen", "HOST:PORT",
      form: "HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080; port 0 is a free one",
      "where to listen; by default 127.0.0.1:8080, and port 0 is a free one"
    ) { ($0.server.host, $0.server.port) = try $1.address() },
    Setting(
      "database", "DATABASE", form: "sqlite:FILE, postgres://… or mysql://…",
      """
      sqlite:FILE (by default sqlite:storekeeper.sqlite), postgres://… or
      mysql://…; the password better in PGPASSFILE or database-password-file
      """, isSecret: true
    ) { $0.database = try $1.database() },
    Setting(
      "database-password-file", "FILE", form: "a file with a password in one line",
      "a file with the password of mysql://…, in one line", isSecret: true
    ) { $0.databasePassword = try $1.passwordOfFile() },
    toggle(
      "adopt-tables", \.adoptsTables,
      "tables that the database has already become those of the server"),
    Setting(
      "table-database", "TABLE=DATABASE", .list,
      form: "TABLE=DATABASE, such as apple_receipt=file_store",
      "a table of mysql://… that lies in another database; a list"
    ) { settings, value in
      let places = try value.elements { table, database in
        database.flatMap { $0.isEmpty ? nil : (table, $0) }
      }
      settings.tableDatabases = Dictionary(uniqueKeysWithValues: places)
    },
    Setting(
      "app", "BUNDLE=APPLE_ID", .list,
      form: "BUNDLE_ID=APPLE_ID, such as com.example.reader=1234567890",
      "an app, with the number of its App Store address; a list, needed", neededBy: .server
    ) { settings, value in
      settings.apps = try value.elements { name, value in
        guard let id = value.flatMap({ Int($0) }), id > 0 else { return nil }
        return App(bundleID: name, appAppleID: id)
      }
    },
    product,
    token,
    Setting(
      "account", "FTC_ID[=UNION]", .list, form: "an ftcId, or FTC_ID=UNION_ID, or =UNION_ID",
      "an account that the host knows; a list", part: .subscriptions
    ) { settings, value in
      settings.accounts = try value.elements(areNamed: false) {
        Account(text: $0, second: $1)
      }
    },
    toggle(
      "accept-any-account", \.acceptsAnyAccount, "every account is known, instead",
      part: .subscriptions),
    Setting(
      "shared-secret", "TEXT", .list, form: "the secret from App Store Connect",
      """
      the app's secret from App Store Connect; better not as a flag, which
      others on the machine can read; without it, receipts for entitlements
      are verified here. A list while it changes: the first asks Apple, and
      notifications of version 1 may have any
      """, part: .subscriptions, or: .entitlements, .orders, isSecret: true
    ) { $0.sharedSecrets = $1.texts.map { AppSharedSecret($0) } },
    Setting(
      "environment", "NAME", .list, form: "Production or Sandbox",
      """
      whose purchases may change memberships: Production (the default),
      Sandbox; a list
      """, part: .subscriptions
    ) { $0.options.allowedEnvironments.environments = try $1.environments() },
    Setting(
      "tester", "ID[=UNTIL]", .list,
      form: "the identifier of an account, or ID=2026-12-31T00:00:00Z",
      """
      an account for which purchases of the Sandbox count in every part that
      is served, if need be until a moment; a list
      """
    ) { settings, value in
      let testers = try value.elements(areNamed: false) { name, rest -> (AccountID, Date?)? in
        guard let id = try? AccountID(name) else { return nil }
        guard let rest else { return (id, nil) }
        return (try? Date(rest, strategy: .iso8601)).map { (id, $0) }
      }
      settings.testers = CountedEnvironments([], testers: Set(testers.map(\.0)))
      for (id, end) in testers { settings.testers.testerEnds[id] = end }
    },
    transfer(
      "transfer",
      """
      who gets a purchase that another account shows: never, which is the
      default and leaves it with the first one, ifLapsed, which moves what
      gives nothing any more, or always
      """
    ) { $0.transfer.production = $1 },
    transfer("sandbox-transfer", "the same for purchases of the Sandbox") {
      $0.transfer.sandbox = $1
    },
    toggle(
      "strict-switch", \.options.isSwitchStrict,
      "refuse to switch to a subscription that ends earlier", part: .subscriptions),
    mount(
      "mount", .current, \.mounts,
      """
      where the current contract is served: /api/v1 and /api/sandbox=Sandbox
      by default. What is behind = is asked first about receipts: Production
      (the default) or Sandbox; a list
      """),
    mount(
      "legacy-mount", .legacy, \.legacyMounts,
      """
      the same for the contract of 2019: /2019/api/v1 and
      /2019/api/sandbox=Sandbox by default
      """),
    Setting(
      "retention-message", "UUID", form: "the identifier of a message, a UUID",
      """
      the uploaded message for every customer who is about to cancel, when
      Apple asks at /api/v1/webhook/apple/retention-message; by default
      that path is unknown
      """, part: .subscriptions
    ) { $0.retentionMessage = try $1.uuid() },
    Setting(
      "receipts", "FOLDER", form: "a folder", "keep copies of receipts as files",
      part: .subscriptions
    ) { $0.receiptsFolder = $1.text },
    Setting(
      "redis", "URL",
      form: "redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE], or rediss://… for TLS",
      """
      keep copies of receipts in Redis too, redis://… or, for TLS, rediss://…;
      better not as a flag, if it has a password
      """, part: .subscriptions, isSecret: true
    ) { $0.redis = try $1.redis() },
    Setting(
      "redis-ca", "FILE", form: "a file with certificates in PEM",
      "the authorities to trust for --redis, instead of the system's", part: .subscriptions
    ) { settings, value in
      guard FileManager.default.isReadableFile(atPath: value.text) else {
        throw SettingsFailure.unreadable(value.text)
      }
      settings.redisAuthorities = value.text
    },
    Setting(
      "redis-ttl", "SECONDS", form: "a number of seconds, from 1 upwards",
      "how long Redis keeps a copy; by default for ever", part: .subscriptions
    ) { $0.redisTTL = try $1.number() },
  ]

  private static func mount(
    _ name: String, _ contract: SubscriptionContract,
    _ property: any Target<[Mount]>, _ help: String
  ) -> Setting {
    Setting(
      name, "PATH[=NAME]", .list, form: "a path such as /api/v1, or /api/sandbox=Sandbox", help,
      part: .subscriptions
    ) { settings, value in
      settings[keyPath: property] = try value.elements(areNamed: false) { path, name in
        guard path.hasPrefix("/"), !path.contains("{"),
          path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
          let server = VerifyReceiptServer.allCases.first(where: {
            $0.environment.rawValue == name ?? "Production"
          })
        else { return nil }
        return Mount(path, contract: contract, server: server)
      }
    }
  }

  static let token = Setting(
    "token", "NAME=DIGEST", .list,
    form: "NAME=DIGEST or NAME=DIGEST@2030-01-01T00:00:00Z; see storekeeper-server digest",
    """
    who may ask, by the digest of a token; @TIME behind it ends it; a
    list, needed for memberships
    """, neededBy: .subscriptions, isSecret: true
  ) { settings, value in
    settings.tokens = try value.elements { BearerTokens.Entry(name: $0, text: $1 ?? "") }
  }

  static let product = Setting(
    "product", "ID=TIER/CYCLE", .list,
    form: "PRODUCT_ID=TIER/CYCLE, such as com.example.monthly=standard/month",
    """
    a product that is a membership: standard or premium, month or year; a
    list, needed except for credits or entitlements alone. PRODUCT_ID:PLAN is
    one base plan of Google's, or Apple's MONTHLY or BILLED_UPFRONT
    """, part: .subscriptions, neededBy: .subscriptions
  ) { settings, value in
    let plans = try value.elements { name, plan in
      Plan(plan ?? "").map { (name, $0) }
    }
    settings.products = ProductMap(Dictionary(plans) { first, _ in first })
  }

  static let limits = [
    Setting(
      "threads", "N", form: "a number of threads, from 1 to 1024",
      """
      event loops, which share the connections; each reads, writes and begins
      to answer; by default one for each processor that the server may use
      """
    ) { $0.server.threads = try $1.number() },
    bytes(
      "body-limit", \.server.bodyLimit,
      "by default 1048576; that of entitlements is always 2097152"),
    bytes(
      "body-memory-limit", \.server.bodyMemoryLimit,
      "of the bodies of all connections together; by default 268435456"),
    Setting(
      "address-body-memory-limit", "BYTES", form: "a number of bytes, or 0 for no limit",
      """
      of the bodies that come from one address without a token, as
      notifications do; by default 16777216, and 0 for no limit
      """
    ) { $0.server.addressBodyMemoryLimit = try $1.number(atLeast: 0) },
    Setting(
      "address-connection-limit", "N", form: "a number of connections, or 0 for no limit",
      """
      from one address; by default 2048, and 0 for no limit, as behind a
      proxy
      """
    ) { $0.server.addressConnectionLimit = try $1.number(atLeast: 0) },
    bytes("header-limit", \.server.headerLimit, "by default 16384"),
    Setting("connection-limit", "N", form: "a number of connections", "by default 4096") {
      $0.server.connectionLimit = try $1.number()
    },
    seconds(
      "database-timeout", \.databaseTimeout,
      """
      how long a request tries a database that is out of reach, before its
      status 500; by default 2
      """),
    seconds("idle-timeout", \.server.idleTimeout, "by default 30"),
    seconds(
      "request-timeout", \.server.requestTimeout,
      "to send a request, and to take an answer; by default 30"),
    seconds(
      "stop-timeout", \.server.stopTimeout, "what SIGTERM grants requests that run; by default 30"),
    seconds(
      "outbox-interval", \.outboxInterval, "how often messages are delivered; by default 5"),
    seconds(
      "refresh-interval", \.refreshInterval,
      "how often subscriptions that end soon are refreshed; by default 3600",
      part: .subscriptions),
    age(
      "retention-webhooks", \.retention.ages[.notifications],
      """
      how long it is kept that Apple sent a notification; by default for ever,
      at least 7
      """),
    age(
      "retention-sessions", \.retention.ages[.sessions],
      "the same for verifications of receipts", part: .subscriptions),
    age(
      "retention-snapshots", \.retention.ages[.snapshots],
      "the same for copies of memberships as they were", part: .subscriptions),
    age(
      "retention-consumption", \.retention.ages[.consumption],
      "the same for requests for consumption information that were settled"),
  ]

  static let tests =
    [
      Setting(
        "app-store-url", "URL", form: "https://…, or http://… with --allow-test-root",
        """
        what answers in Apple's place, at URL/production/verifyReceipt and
        URL/sandbox/verifyReceipt
        """, part: .subscriptions, or: .entitlements, .orders, isSecret: true
      ) { $0.appStoreURL = try $1.url() }
    ] + appStoreTests + googleTests + [
      Setting(
        "test-root", "FILE", .list,
        form: "a file with a certificate authority's certificate, in DER or PEM",
        """
        a certificate that signed notifications or receipts end at, instead of
        Apple's; a list, as Apple has one for each
        """
      ) { $0.testRoots = try $1.certificates() },
      Setting(
        "test-clock", "FILE",
        form: "a file with a number of seconds, from 0 to 100000000",
        """
        makes the time of purchases run ahead of the machine's by this many
        seconds; read whenever the time is needed, so that tests let days pass
        """
      ) { $0.testClock = try $1.testClock() },
      toggle(
        "allow-test-root", \.allowsTestRoot,
        "allows --test-root, --test-clock, and http in the App Store's addresses"),
    ]
}

// MARK: - Forms that several settings share

extension Setting {
  typealias Target<Value> = WritableKeyPath<Settings, Value> & Sendable

  static func toggle(
    _ name: String, _ target: any Target<Bool>, _ help: String, part: Part = .server
  ) -> Setting {
    Setting(name, "", .toggle, form: "true or false", help, part: part) {
      $0[keyPath: target] = try $1.isOn()
    }
  }

  private static func bytes(_ name: String, _ target: any Target<Int>, _ help: String) -> Setting {
    Setting(name, "BYTES", form: "a number of bytes", help) {
      $0[keyPath: target] = try $1.number()
    }
  }

  private static func seconds(
    _ name: String, _ target: any Target<Int>, _ help: String, part: Part = .server
  ) -> Setting {
    Setting(name, "SECONDS", form: "a number of seconds, from 1 upwards", help, part: part) {
      $0[keyPath: target] = try $1.number()
    }
  }

  private static func age(
    _ name: String, _ target: any Target<Duration?>, _ help: String, part: Part = .server
  ) -> Setting {
    Setting(name, "DAYS", form: "a number of days, from 7 upwards", help, part: part) {
      $0[keyPath: target] = try $1.age()
    }
  }
}

extension Setting {
  /// A setting that names a rule for purchases of other accounts.
  fileprivate static func transfer(
    _ name: String, _ purpose: String,
    _ read: @escaping @Sendable (inout Settings, TransferRule) -> Void
  ) -> Setting {
    Setting(name, "RULE", form: "never, ifLapsed or always", purpose) { settings, value in
      guard let rule = TransferRule(rawValue: value.text) else { throw value.wrong(value.text) }
      read(&settings, rule)
    }
  }
}
