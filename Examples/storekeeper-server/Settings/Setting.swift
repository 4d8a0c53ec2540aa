/// What can be set: by a flag, by a variable of the environment, or by a key of the file.
enum Setting: String, CaseIterable {
  case listen
  case database
  case app
  case sharedSecret = "shared-secret"
  case product
  case token
  case account
  case acceptAnyAccount = "accept-any-account"
  case environment
  case strictSwitch = "strict-switch"
  case receipts
  case appStoreURL = "app-store-url"
  case testRoot = "test-root"
  case allowTestRoot = "allow-test-root"
  case threads
  case bodyLimit = "body-limit"
  case bodyMemoryLimit = "body-memory-limit"
  case addressBodyMemoryLimit = "address-body-memory-limit"
  case addressConnectionLimit = "address-connection-limit"
  case headerLimit = "header-limit"
  case connectionLimit = "connection-limit"
  case databaseTimeout = "database-timeout"
  case idleTimeout = "idle-timeout"
  case requestTimeout = "request-timeout"
  case stopTimeout = "stop-timeout"
  case outboxInterval = "outbox-interval"
  case refreshInterval = "refresh-interval"
  case retentionWebhooks = "retention-webhooks"
  case retentionSessions = "retention-sessions"
  case retentionSnapshots = "retention-snapshots"

  /// How it is given.
  enum Kind {
    /// One text.
    case single
    /// Any number of texts.
    case list
    /// Yes or no.
    case toggle
  }

  var kind: Kind {
    switch self {
    case .app, .product, .token, .account, .environment: .list
    case .acceptAnyAccount, .strictSwitch, .allowTestRoot: .toggle
    case .listen, .database, .sharedSecret, .receipts, .appStoreURL, .testRoot, .threads,
      .bodyLimit, .bodyMemoryLimit, .addressBodyMemoryLimit, .addressConnectionLimit,
      .headerLimit, .connectionLimit, .databaseTimeout, .idleTimeout, .requestTimeout, .stopTimeout,
      .outboxInterval, .refreshInterval, .retentionWebhooks, .retentionSessions,
      .retentionSnapshots:
      .single
    }
  }

  /// Whether no message may quote its value.
  var isSecret: Bool {
    switch self {
    case .sharedSecret, .database, .token, .appStoreURL: true
    default: false
    }
  }

  /// Such as `--app-store-url`.
  var flag: String { "--\(rawValue)" }

  /// Such as `STOREKEEPER_APP_STORE_URL`.
  var variable: String {
    "STOREKEEPER_" + rawValue.uppercased().split(separator: "-").joined(separator: "_")
  }

  /// Such as `appStoreUrl`.
  var key: String {
    let words = rawValue.split(separator: "-")
    return words.dropFirst().reduce(into: String(words[0])) { key, word in
      key += word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  /// What a value looks like, for messages.
  var form: String {
    switch self {
    case .listen: "HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080; port 0 is a free one"
    case .database: "sqlite:FILE or postgres://…"
    case .app: "BUNDLE_ID=APPLE_ID, such as com.example.reader=1234567890"
    case .sharedSecret: "the secret from App Store Connect"
    case .product: "PRODUCT_ID=TIER/CYCLE, such as com.example.monthly=standard/month"
    case .token: "NAME=DIGEST or NAME=DIGEST@2030-01-01T00:00:00Z; see storekeeper-server digest"
    case .account: "an ftcId, or FTC_ID=UNION_ID, or =UNION_ID"
    case .environment: "Production or Sandbox"
    case .receipts: "a folder"
    case .appStoreURL: "https://…, or http://… with --allow-test-root"
    case .testRoot: "a file with a certificate authority's certificate, in DER or PEM"
    case .acceptAnyAccount, .strictSwitch, .allowTestRoot: "true or false"
    case .threads: "a number of threads, from 1 to 1024"
    case .bodyLimit, .bodyMemoryLimit, .headerLimit: "a number of bytes"
    case .addressBodyMemoryLimit: "a number of bytes, or 0 for no limit"
    case .addressConnectionLimit: "a number of connections, or 0 for no limit"
    case .connectionLimit: "a number of connections"
    case .databaseTimeout, .idleTimeout, .requestTimeout, .stopTimeout, .outboxInterval,
      .refreshInterval:
      "a number of seconds, from 1 upwards"
    case .retentionWebhooks, .retentionSessions, .retentionSnapshots:
      "a number of days, from 7 upwards"
    }
  }
}
