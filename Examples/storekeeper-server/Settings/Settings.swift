import AppStoreServerAPI
import CreditPolicy
import EntitlementPolicy
import GooglePlayVerifier
import JWSVerifier
import LinkPolicy
import MailDelivery
import StorekeeperMicroHTTPServer
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import RedisReceiptStorage
import Storekeeper
import StorekeeperHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The settings of the server, checked.
struct Settings {
  enum Database {
    case sqlite(path: String)
    /// A connection string, which may hold a password.
    case postgres(String)
    /// A URL, which may hold a password.
    case mariadb(String)
  }

  var server = ServerConfiguration()
  var database = Database.sqlite(path: "storekeeper.sqlite")
  /// The password of a MariaDB, if it stands in a file.
  var databasePassword: String?
  /// Whether tables that the database has already are adopted.
  var adoptsTables = false
  /// The databases of a MariaDB in which tables lie, by the names of the tables.
  var tableDatabases: [String: String] = [:]
  var apps: [App] = []
  /// The app's secrets while it changes; the first one asks Apple.
  var sharedSecrets: [AppSharedSecret] = []
  var products = ProductMap([:])
  var tokens: [BearerTokens.Entry] = []
  var desk = DeskSettings()
  /// The accounts of the host, unless ``acceptsAnyAccount`` or ``accountsURL``.
  var accounts: [Account] = []
  var acceptsAnyAccount = false
  var options = LinkOptions()
  /// The message for customers who are about to cancel; without one, Apple's default message.
  var retentionMessage: UUID?
  /// Where the current contract is served.
  var mounts = Mount.standard.filter { $0.contract == .current }
  /// Where the contract of 2019 is served.
  var legacyMounts = Mount.standard.filter { $0.contract == .legacy }
  var receiptsFolder: String?
  /// The server that keeps copies of receipts; without one, none does.
  var redis: RedisReceiptStore.Configuration?
  /// The file with the authorities that are trusted for it.
  var redisAuthorities: String?
  /// In seconds; nil for ever.
  var redisTTL: Int?
  /// The file with the credit packs; without one, no credits are served.
  var creditProducts: CreditProductsFile?
  /// The key for the session tokens of users.
  var sessionKey: SessionKey?
  /// The issuer that session tokens must name; nil for any.
  var sessionIssuer: String?
  /// The audience that session tokens must name; nil for any.
  var sessionAudience: String?
  /// The directory of accounts that is asked over HTTP.
  var accountsURL: String?
  /// The bearer token for the directory.
  var accountsToken: String?
  /// Nil without ``accountsURL``.
  private(set) var remoteAccounts: RemoteAccounts?
  /// The e-mail addresses of users.
  var emails: [AccountID: String] = [:]
  /// The languages of users.
  var languages: [AccountID: String] = [:]
  /// The app account tokens of users.
  var accountTokens: [AccountID: UUID] = [:]
  /// The environments whose purchases get credits.
  var creditEnvironments: Set<AppStoreEnvironment> = [.production, .sandbox]
  var partialRefunds = PartialRefundRule.whole
  /// The environments whose purchases count for entitlements.
  var entitlementEnvironments: Set<AppStoreEnvironment> = [.production]
  /// The environments whose purchases may be ordered.
  var orderEnvironments: Set<AppStoreEnvironment> = [.production]
  /// The accounts for which the Sandbox counts in every part.
  var testers = CountedEnvironments([])
  /// The rules for purchases that another account shows, in every part.
  var transfer = TransferOptions.never
  /// The files with the product lists of apps; without any, no entitlements are served.
  var catalogFiles: [(bundleID: String, path: String)] = []
  /// The file with the key of the product lists; without one they are plain.
  var catalogKeyFile: String?
  /// The apps whose marked subscriptions count for the others.
  var bundledApps: [String] = []
  var multiAppMarker: String?
  var markerStrategy = MultiAppSubscriptions.Strategy.substring
  var graceDays = 7
  /// The durations of non-renewing subscriptions.
  var durations = SubscriptionDurations()
  /// In days.
  var statusTTL = 14
  /// Whether Apple is asked for the state of subscriptions from time to time.
  var validatesPeriodically = true
  /// In seconds.
  var validationInterval = 60
  /// The files with the keys of statements; without any, no statements are served.
  var statementKeyFiles: [String] = []
  /// In seconds.
  var statementLife = 86_400
  /// In seconds; nil for a quarter of ``statementLife``.
  var statementRefresh: Int?
  /// The keys of statements; nil without any.
  private(set) var statementKeys: StatementKeyFiles?
  /// The file with the subscription levels; without one, no orders are taken.
  var levels: LevelsFile?
  /// In seconds.
  var minRevalidationInterval = 0
  /// The key file of the account that asks Google Play; without one, Google is no vendor.
  var googleServiceAccountFile: String?
  var googlePackage: String?
  /// The bundle ID of the app of ``catalogFiles`` that the package is.
  var googleApp: String?
  /// The audience of Google's notifications; without one, none are received.
  var googlePushAudience: String?
  var googlePushEmail: String?
  /// The time between readings of Google's list of voided purchases, in seconds; 0 for only at the start, and nil
  /// for an hour.
  var googleVoidedInterval: Int?
  /// The server that is asked instead of Google's.
  var googlePlayURL: String?
  /// The access to Google Play; nil without an account.
  private(set) var google: GoogleAccess?
  /// The product lists; nil without entitlements.
  private(set) var productLists: ProductLists?
  /// The clock of a test, which moves it.
  var testClock: TestClock?
  /// The server that is asked instead of Apple's.
  var appStoreURL: String?
  var testRoots: [TrustAnchor] = []
  var allowsTestRoot = false
  /// The time for which a request tries an unreachable database server, in seconds.
  var databaseTimeout = 2
  /// In seconds.
  var outboxInterval = 5
  /// In seconds.
  var refreshInterval = 3600
  /// The file with the In-App Purchase key.
  var appStoreKeyFile: String?
  var appStoreKeyID: String?
  /// The text of a UUID.
  var appStoreIssuerID: String?
  /// The servers that are asked instead of those of Apple's API.
  var appStoreURLs: [AppStoreEnvironment: String] = [:]
  /// The access to Apple's API; without one, no part of the server asks it.
  private(set) var appStoreAccess: AppStoreAccess?
  /// The part of Apple's rates that this process may use, in per cent; nil for what its task usually takes.
  var appStoreRate: Int?
  /// In seconds; 0 for only at the start.
  var recoveryInterval = 3600
  /// Whether the histories of customers with stored receipts are read at the start.
  var migratesReceipts = false
  /// The answer to every request for consumption information; without one, nothing is sent.
  var consumption: ConsumptionRequest?
  /// The answer to every question of Google's about a chargeback; without one, nothing is sent.
  var refundReview: OrdersReviewRefundRequest?
  /// The mail server; without one, e-mails wait in the outbox.
  var mailURL: String?
  var mailSender: MailAddress?
  var mailPassword: String?
  var mailPasswordOfFile: String?
  var mailTemplates = MailTemplates.standard
  /// The file with the certificate authority of the mail server.
  var mailAuthority: String?
  /// The access to the mail server; nil without one.
  private(set) var mail: MailAccess?
  /// The endpoints that are told of events, by name.
  var webhooks: [(String, String)] = []
  /// The files with their keys.
  var webhookKeyFiles: [String: String] = [:]
  /// The types that they want to hear of; all where none is named.
  var webhookTypes: [String: Set<PurchaseEvent.Kind>] = [:]
  var allowsPrivateWebhooks = false
  /// Whether events are written without an endpoint.
  var keepsEventLog = false
  private(set) var endpoints: [WebhookEndpoint] = []
  var keepsMoneyFigures = false
  /// The servers to which notifications are forwarded, by name.
  var forwards: [(String, String)] = []
  /// What they get; everything where nothing is named.
  var forwardFilters: [(String, ForwardFilter)] = []
  private(set) var forwardTargets: [ForwardTarget] = []
  /// The parts that are served.
  private(set) var parts: Set<Setting.Part> = []
  /// The ages at which evidence is removed; without one it is kept for ever.
  var retention = RetentionJob.Configuration()
  /// Where figures are answered; nil for nowhere.
  var metrics: MetricsAddress?
  /// The collector of figures and traces.
  var otlpURL: String?
  var otlpToken: String?
  /// In per cent.
  var otlpShare = 10
  var trustsTraceparent = false
  /// The registry of figures and the exporter; nil if nobody wants any.
  private(set) var figures: ServerFigures?
  /// The host's accounts, which can be read again.
  private(set) var accountDirectory = CurrentAccounts()
  /// Variables that are no setting, and may be misspelt.
  private(set) var unknownVariables: [String] = []

  /// Reads every setting that is given.
  ///
  /// - Throws: ``SettingsFailure``.
  init(_ given: GivenSettings) throws {
    server.port = 8080
    for setting in Setting.all {
      try given.values[setting.name]?.read(into: &self)
    }
    try checkDatabase()
    options.allowedEnvironments = options.allowedEnvironments.with(testers)
    options.transfer = transfer
    try checkMounts()
    parts = Self.parts(given)
    try checkParts(given)
    if parts.contains(.subscriptions) { try checkAccounts() }
    unknownVariables = given.unknownVariables
    figures = try ServerFigures(self, given)
    remoteAccounts = try checkedRemoteAccounts()
    accountDirectory = CurrentAccounts(HostAccounts(self))
    if redis == nil, redisAuthorities != nil || redisTTL != nil {
      throw SettingsFailure("--redis-ca and --redis-ttl do nothing without --redis")
    }
    if let redis, !redis.usesTLS, redisAuthorities != nil {
      throw SettingsFailure("--redis-ca does nothing without TLS; --redis takes rediss://…")
    }
    if sessionKey == nil, sessionIssuer != nil || sessionAudience != nil {
      throw SettingsFailure(
        "--session-issuer and --session-audience do nothing without --session-key")
    }
    try checkTestSettings(given)
    if !parts.isDisjoint(with: [.orders, .credits, .entitlements]) {
      google = try GoogleAccess(self)
    }
    if parts.contains(.entitlements) {
      productLists = try checkedProductLists()
      statementKeys = try checkedStatementKeys(given)
    }
    if parts.contains(.orders), sessionKey == nil {
      throw SettingsFailure("--session-key is needed with --levels: who orders")
    }
    appStoreAccess = try AppStoreAccess(self, given)
    mail = try MailAccess(self, given)
    endpoints = try checkedEndpoints()
    forwardTargets = try checkedForwards()
  }

  /// The parts that the given settings ask for.
  private static func parts(_ given: GivenSettings) -> Set<Setting.Part> {
    func isGiven(_ setting: Setting) -> Bool { given.values[setting.name] != nil }
    var parts: Set<Setting.Part> = [.server]
    if isGiven(.catalog) { parts.insert(.entitlements) }
    if isGiven(.levels) { parts.insert(.orders) }
    // A session key alone is meant for credits, unless another part uses it.
    if isGiven(.creditProducts) || isGiven(.sessionKey) && parts == [.server] {
      parts.insert(.credits)
    }
    // Memberships are served where nothing else is.
    if isGiven(.product) || parts == [.server] { parts.insert(.subscriptions) }
    return parts
  }

  /// Each part has what it needs, and no setting is for a part that is not served.
  private func checkParts(_ given: GivenSettings) throws(SettingsFailure) {
    for setting in Setting.all where given.values[setting.name] == nil {
      guard let part = setting.neededBy, parts.contains(part) else { continue }
      throw SettingsFailure("\(setting.flag) is needed \(setting.otherNames): \(setting.form)")
    }
    for setting in Setting.all where parts.isDisjoint(with: setting.parts) {
      guard let value = given.values[setting.name], let part = setting.parts.first else { continue }
      let products: Setting =
        switch part {
        case .credits: .creditProducts
        case .entitlements: .catalog
        case .orders: .levels
        case .subscriptions, .server: .product
        }
      throw SettingsFailure(
        "\(value.name) does nothing without \(part); \(products.names) is needed")
    }
  }

  /// No setting is for another database than the one that is given.
  private func checkDatabase() throws(SettingsFailure) {
    if case .mariadb = database { return }
    guard tableDatabases.isEmpty, databasePassword == nil else {
      throw SettingsFailure(
        "--table-database and --database-password-file do nothing without --database mysql://…")
    }
    guard adoptsTables, case .sqlite = database else { return }
    throw SettingsFailure(
      "--adopt-tables does nothing without --database postgres://… or mysql://…")
  }

  /// No two contracts have one place.
  private func checkMounts() throws(SettingsFailure) {
    var prefixes: Set<String> = []
    for mount in mounts + legacyMounts where !prefixes.insert(mount.prefix).inserted {
      throw SettingsFailure(
        "--mount and --legacy-mount have \(mount.prefix) twice; a place speaks one contract")
    }
  }

  func checkAccounts() throws(SettingsFailure) {
    let given = [
      accounts.isEmpty ? nil : "--account", accountsURL.map { _ in "--accounts-url" },
      acceptsAnyAccount ? "--accept-any-account" : nil,
    ].compactMap(\.self)
    guard let last = given.last else {
      throw SettingsFailure(
        "--account, --accounts-url or --accept-any-account is needed: whom the host knows")
    }
    guard let first = given.first, first != last else { return }
    throw SettingsFailure("\(first) does nothing where \(last) is given; leave out one of them")
  }

  private func checkedRemoteAccounts() throws -> RemoteAccounts? {
    guard let accountsURL else {
      guard accountsToken == nil else {
        throw SettingsFailure("--accounts-token does nothing without --accounts-url")
      }
      return nil
    }
    return try RemoteAccounts(
      url: accountsURL, token: accountsToken, telemetry: figures?.port, now: now)
  }

  /// Returns the roots to trust: those for tests if there are any, otherwise Apple's.
  func trustAnchors(or apple: TrustAnchor) -> [TrustAnchor] {
    testRoots.isEmpty ? [apple] : testRoots
  }

  /// Test settings make the server trust others than Apple, so they have to be allowed by name.
  private func checkTestSettings(_ given: GivenSettings) throws(SettingsFailure) {
    if allowsTestRoot { return }
    for setting in Setting.tests {
      guard let value = given.values[setting.name], value.text.hasPrefix("http://") else {
        continue
      }
      throw SettingsFailure(
        "\(setting.flag) with http makes the server believe whoever answers there; it needs"
          + " --allow-test-root")
    }
    if let appStoreRate, appStoreRate > 100 {
      throw SettingsFailure("--app-store-rate above 100 needs --allow-test-root")
    }
    if testClock != nil {
      throw SettingsFailure(
        "--test-clock makes the server believe that it is another time; it needs --allow-test-root")
    }
    if !testRoots.isEmpty {
      throw SettingsFailure(
        "--test-root makes the server believe what Apple has not signed; it needs --allow-test-root"
      )
    }
  }
}

/// A wrong or missing setting; the message holds no secret.
struct SettingsFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func unreadable(_ path: String) -> SettingsFailure {
    SettingsFailure("\(path) cannot be read")
  }
}
