import ReceiptModels

// The settings of the App Store Server API, in the order of `--help`.

extension Setting {
  static let appStore = [
    appStoreKey,
    Setting(
      "app-store-key-id", "ID", form: "the ID that App Store Connect shows for the key",
      "the ID of that key; needed with it"
    ) { $0.appStoreKeyID = $1.text },
    Setting(
      "app-store-issuer-id", "UUID", form: "the issuer ID of App Store Connect, a UUID",
      "the issuer ID above the keys; needed with the key"
    ) { settings, value in
      _ = try value.uuid()
      // As it is written, because Apple compares the text.
      settings.appStoreIssuerID = value.text
    },
    Setting(
      "recovery-interval", "SECONDS", form: "a number of seconds, or 0 for only at the start",
      """
      how often notifications that did not arrive are recovered, besides
      at the start; by default 3600, and 0 for only at the start
      """
    ) { $0.recoveryInterval = try $1.number(atLeast: 0) },
    Setting(
      "app-store-rate", "PERCENT", form: "a number from 1, of per cent",
      """
      the part of Apple's documented rates that this process may use; by
      default 100, and 80 for a rebuild, which leaves the rest to a server
      """
    ) { $0.appStoreRate = try $1.number() },
    toggle(
      "migrate-receipts", \.migratesReceipts,
      "at the start, read the histories of customers with stored receipts",
      part: .subscriptions),
    Setting(
      "consumption", "FILE", form: "a file with Apple's ConsumptionRequest in JSON",
      """
      the answer to every request for consumption information, an example:
      only with every customer's consent; by default the desk answers, if
      there is one and one app, and otherwise nothing is sent
      """
    ) { $0.consumption = try $1.consumption() },
  ]

  static let appStoreKey = Setting(
    "app-store-key", "FILE", form: "the .p8 file of an In-App Purchase key",
    "the In-App Purchase key from App Store Connect, a .p8 file", isSecret: true
  ) { $0.appStoreKeyFile = $1.text }

  static let appStoreTests = [
    appStoreURL("production", .production), appStoreURL("sandbox", .sandbox),
  ]

  private static func appStoreURL(_ name: String, _ environment: AppStoreEnvironment) -> Setting {
    Setting(
      "app-store-\(name)-url", "URL",
      form: "https://…, or http://… to this machine with --allow-test-root",
      "what answers in place of Apple's API for \(environment)", isSecret: true
    ) { $0.appStoreURLs[environment] = try $1.localURL() }
  }

  /// The settings that do nothing without a key.
  static let dependentOnKey = appStore.dropFirst() + appStoreTests
}
