import JWSVerifier
import LinkPolicy
import StorekeeperMicroHTTPServer
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import Storekeeper
import StorekeeperHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How the server is set up.
struct Settings {
  /// Where everything is kept.
  enum Database {
    case sqlite(path: String)
    /// The connection string, which may have a password.
    case postgres(String)
  }

  /// Whom the host knows.
  enum Accounts {
    case any
    case listed([Account])
  }

  var server = ServerConfiguration()
  var database: Database
  var apps: [App]
  var sharedSecret: AppSharedSecret?
  var products: ProductMap
  var tokens: [BearerTokens.Entry]
  var accounts: Accounts
  var options = LinkOptions()
  var receiptsFolder: String?
  /// What stands in Apple's place.
  var appStoreURL: String?
  var trustAnchors: [TrustAnchor] = [.appleRootCAG3]
  /// For how many seconds a request tries a server of databases that is out of reach.
  var databaseTimeout = 2
  var outboxInterval = 5
  var refreshInterval = 3600
  /// For how long evidence is kept; for ever where nothing is said.
  var retention = RetentionJob.Configuration()

  init(_ given: GivenSettings) throws(SettingsFailure) {
    let reader = SettingReader(given: given)
    database = try reader.database()
    apps = try reader.apps()
    products = try reader.products()
    tokens = try reader.tokens()
    accounts = try reader.accounts()
    sharedSecret = reader.text(.sharedSecret).map(AppSharedSecret.init)
    receiptsFolder = reader.text(.receipts)
    try readPolicy(reader)
    try readTestSettings(reader)
    try readServer(reader)
    databaseTimeout = try reader.number(.databaseTimeout) ?? databaseTimeout
    outboxInterval = try reader.number(.outboxInterval) ?? outboxInterval
    refreshInterval = try reader.number(.refreshInterval) ?? refreshInterval
    retention.ages[.notifications] = try reader.age(.retentionWebhooks)
    retention.ages[.sessions] = try reader.age(.retentionSessions)
    retention.ages[.snapshots] = try reader.age(.retentionSnapshots)
  }

  private mutating func readPolicy(_ reader: SettingReader) throws(SettingsFailure) {
    options.allowedEnvironments = try reader.environments() ?? options.allowedEnvironments
    options.isSwitchStrict = try reader.isOn(.strictSwitch)
  }

  private mutating func readServer(_ reader: SettingReader) throws(SettingsFailure) {
    server.port = 8080
    if let (host, port) = try reader.address() { (server.host, server.port) = (host, port) }
    server.threads = try reader.number(.threads) ?? server.threads
    server.bodyLimit = try reader.number(.bodyLimit) ?? server.bodyLimit
    server.bodyMemoryLimit = try reader.number(.bodyMemoryLimit) ?? server.bodyMemoryLimit
    server.addressBodyMemoryLimit =
      try reader.number(.addressBodyMemoryLimit, atLeast: 0) ?? server.addressBodyMemoryLimit
    server.addressConnectionLimit =
      try reader.number(.addressConnectionLimit, atLeast: 0) ?? server.addressConnectionLimit
    server.headerLimit = try reader.number(.headerLimit) ?? server.headerLimit
    server.connectionLimit = try reader.number(.connectionLimit) ?? server.connectionLimit
    server.idleTimeout = try reader.number(.idleTimeout) ?? server.idleTimeout
    server.requestTimeout = try reader.number(.requestTimeout) ?? server.requestTimeout
    server.stopTimeout = try reader.number(.stopTimeout) ?? server.stopTimeout
  }

  /// What is for tests only, and has to be allowed by name.
  private mutating func readTestSettings(_ reader: SettingReader) throws(SettingsFailure) {
    let isAllowed = try reader.isOn(.allowTestRoot)
    appStoreURL = try reader.appStoreURL()
    if appStoreURL?.hasPrefix("http://") == true, !isAllowed { throw .plainAppStoreNotAllowed }
    guard let anchor = try reader.testRoot() else { return }
    guard isAllowed else { throw .testRootNotAllowed }
    trustAnchors = [anchor]
  }
}
