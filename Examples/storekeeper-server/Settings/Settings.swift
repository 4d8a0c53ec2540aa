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

/// The settings of the server, checked.
struct Settings {
  enum Database {
    case sqlite(path: String)
    /// A connection string, which may hold a password.
    case postgres(String)
  }

  var server = ServerConfiguration()
  var database = Database.sqlite(path: "storekeeper.sqlite")
  var apps: [App] = []
  var sharedSecret: AppSharedSecret?
  var products = ProductMap([:])
  var tokens: [BearerTokens.Entry] = []
  /// The accounts of the host, unless ``acceptsAnyAccount``.
  var accounts: [Account] = []
  var acceptsAnyAccount = false
  var options = LinkOptions()
  /// The message for customers who are about to cancel; without one, Apple's default message.
  var retentionMessage: UUID?
  var receiptsFolder: String?
  /// The server that is asked instead of Apple's.
  var appStoreURL: String?
  var testRoot: TrustAnchor?
  var allowsTestRoot = false
  /// The time for which a request tries an unreachable database server, in seconds.
  var databaseTimeout = 2
  /// In seconds.
  var outboxInterval = 5
  /// In seconds.
  var refreshInterval = 3600
  /// The ages at which evidence is removed; without one it is kept for ever.
  var retention = RetentionJob.Configuration()

  /// Reads every setting that is given.
  ///
  /// - Throws: ``SettingsFailure``.
  init(_ given: GivenSettings) throws {
    server.port = 8080
    for setting in Setting.all {
      if let value = given.values[setting.name] { try setting.read(&self, value) }
    }
    for setting in Setting.all where setting.isRequired && given.values[setting.name] == nil {
      throw SettingsFailure(
        "\(setting.flag) is needed (or \(setting.variable), or \(setting.key) in the file):"
          + " \(setting.form)")
    }
    if !acceptsAnyAccount, accounts.isEmpty {
      throw SettingsFailure("--account or --accept-any-account is needed: whom the host knows")
    }
    if acceptsAnyAccount, !accounts.isEmpty {
      throw SettingsFailure(
        "--account does nothing where --accept-any-account is given; leave out one of them")
    }
    try checkTestSettings()
  }

  /// Test settings make the server trust others than Apple, so they have to be allowed by name.
  private func checkTestSettings() throws(SettingsFailure) {
    if allowsTestRoot { return }
    if appStoreURL?.hasPrefix("http://") == true {
      throw SettingsFailure(
        "--app-store-url with http makes the server believe whoever answers there; it needs"
          + " --allow-test-root")
    }
    if testRoot != nil {
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
