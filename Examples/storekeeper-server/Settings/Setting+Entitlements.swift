internal import ReceiptModels
import EntitlementPolicy

// The settings of entitlements, in the order of `--help`.

extension Setting {
  static let entitlements = [
    catalog,
    Setting(
      "catalog-key", "FILE", form: "a file with a key of 32 or 64 hexadecimal digits",
      """
      the key of all product lists, in hexadecimal digits: 32 for files with
      AES-128-CBC and LZFSE, 64 for containers; without one they are plain
      JSON; read again with them
      """, part: .entitlements, isSecret: true
    ) { $0.catalogKeyFile = $1.text },
    Setting(
      "bundled-app", "BUNDLE", .list, form: "the bundle ID of one of the apps of --catalog",
      """
      an app whose marked subscriptions count for the others; holds for every
      app of --catalog; a list
      """, part: .entitlements
    ) { settings, value in
      settings.bundledApps = try value.elements { name, rest in rest == nil ? name : nil }
    },
    Setting(
      "multi-app-marker", "TEXT", form: "a text in the product IDs of such subscriptions",
      """
      the text that marks a subscription for several apps; holds for every
      app of --catalog, and counts only with --bundled-app
      """, part: .entitlements
    ) { $0.multiAppMarker = $1.text },
    Setting(
      "marker-strategy", "NAME", form: "substring or attribute",
      """
      where the marker is looked for: anywhere in the product ID (substring,
      the default), or as one whole piece between . and _ (attribute)
      """, part: .entitlements
    ) { $0.markerStrategy = try $1.markerStrategy() },
    Setting(
      "grace-days", "DAYS", form: "a number of days, from 0 to 60",
      """
      how long a subscription of Production stays active after its expiry; by
      default 7
      """, part: .entitlements
    ) { $0.graceDays = try $1.number(in: 0...60) },
    Setting(
      "duration", "PRODUCT=DAYS", .list, form: "PRODUCT_ID=DAYS, such as com.example.season=90",
      """
      how long a non-renewing subscription lasts, from 1 to 36500 days, as
      Apple does not know it; without one it counts as bought for ever; a list
      """, part: .entitlements
    ) { settings, value in
      let durations = try value.elements { product, days in
        days.flatMap { Int($0) }
          .flatMap { (1...36_500).contains($0) ? (product, Duration.days($0)) : nil }
      }
      settings.durations = try SubscriptionDurations(Dictionary(durations) { first, _ in first })
    },
    Setting(
      "status-ttl", "DAYS", form: "a number of days, from 1 upwards",
      """
      how long Apple may be out of reach before subscriptions are suspended;
      by default 14, and fewer are accepted with a warning
      """, part: .entitlements
    ) { $0.statusTTL = try $1.number(in: 1...36_500) },
    Setting(
      "entitlement-environment", "NAME", .list, form: "auto, or Production or Sandbox",
      """
      whose purchases count for entitlements: Production (the default),
      Sandbox, or auto for both; a list
      """, part: .entitlements
    ) { $0.entitlementEnvironments = try $1.environmentsOrAuto() },
    toggle(
      "periodic-validation", \.validatesPeriodically,
      """
      ask Apple for the state of subscriptions from time to time; by default
      true
      """,
      part: .entitlements),
    Setting(
      "validation-interval", "SECONDS", form: "a number of seconds, from 1 upwards",
      """
      how often subscriptions whose validation is due are looked for; by
      default 60
      """,
      part: .entitlements
    ) { $0.validationInterval = try $1.number() },
    statementKey,
    Setting(
      "statement-life", "SECONDS", form: "a number of seconds, from 60 to 5184000",
      """
      how long a statement counts, unless something that it lists ends before;
      by default 86400, a day
      """, part: .entitlements
    ) { $0.statementLife = try $1.number(in: 60...5_184_000) },
    Setting(
      "statement-refresh", "SECONDS", form: "a number of seconds, from 1 to --statement-life",
      """
      after how long a device with a network asks again; by default a quarter
      of --statement-life
      """, part: .entitlements
    ) { $0.statementRefresh = try $1.number() },
  ]

  static let statementKey = Setting(
    "statement-key", "FILE", .list, form: "a file with a private key, Ed25519 or on P-256, in PEM",
    """
    a key of the statements for devices without a network; a list, of which
    the first signs and all are published; SIGHUP reads list and files again
    """, part: .entitlements, isSecret: true
  ) { settings, value in
    settings.statementKeyFiles = try value.elements(areNamed: false) { path, rest in
      rest.map { "\(path)=\($0)" } ?? path
    }
  }

  static let catalog = Setting(
    "catalog", "BUNDLE=FILE", .list,
    form: "BUNDLE_ID=FILE, such as com.example.draw=draw.json",
    """
    the product list of an app, which must be one of --app; a list; SIGHUP
    reads all again
    """, part: .entitlements, neededBy: .entitlements
  ) { settings, value in
    settings.catalogFiles = try value.elements { name, path in
      guard let path, !path.isEmpty else { return nil }
      return (bundleID: name, path: path)
    }
  }
}

extension GivenValue {
  fileprivate func number(in bounds: ClosedRange<Int>) throws(SettingsFailure) -> Int {
    guard let number = Int(text), bounds.contains(number) else { throw wrong(text) }
    return number
  }

  fileprivate func markerStrategy() throws(SettingsFailure) -> MultiAppSubscriptions.Strategy {
    guard let strategy = MultiAppSubscriptions.Strategy(rawValue: text) else { throw wrong(text) }
    return strategy
  }

  /// A clock that a test moves.
  func testClock() throws(SettingsFailure) -> TestClock {
    guard let clock = TestClock(path: text) else { throw wrong(text) }
    return clock
  }
}
