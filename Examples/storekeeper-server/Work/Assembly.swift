import CurlTransport
import FileReceiptStorage
import JWSVerifier
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

/// The parts of the server, made from the settings.
struct Assembly {
  let site: Site
  let workers: Workers

  init(_ settings: Settings, database: Database) throws {
    let subscriptions = SubscriptionService(
      store: database.store, accounts: settings.accountDirectory,
      appStore: try settings.verifyReceiptClient(), products: settings.products,
      receiptCaches: try settings.receiptCaches(), options: settings.options,
      report: { ServerLog.note($0) })
    let notifications = NotificationService(
      subscriptions: subscriptions,
      verifier: try SignedDataVerifier(
        apps: settings.apps, environments: [.production, .sandbox],
        trustAnchors: [settings.testRoot ?? .appleRootCAG3]),
      passwords: settings.sharedSecret.map { [$0] } ?? [])
    site = Site(
      api: SubscriptionAPI(
        subscriptions, notifications: notifications,
        retentionMessages: settings.retentionMessage.map { message in
          RetentionMessageService(
            verifier: notifications.verifier, answerer: OneMessage(identifier: message),
            report: { ServerLog.note($0) })
        },
        authenticator: BearerTokens(settings.tokens), bodyLimit: settings.server.bodyLimit,
        observer: AccessLog()),
      readiness: Self.readiness(of: database.store))
    workers = Workers(
      notifications: notifications,
      outbox: OutboxDelivery(
        store: database.store.narrowed { $0 }, handler: MessageLog(), report: { ServerLog.note($0) }
      ),
      refreshes: RefreshJob(subscriptions: subscriptions),
      retention: try RetentionJob(store: database.store, configuration: settings.retention),
      settings: settings)
  }
}

extension Assembly {
  /// Returns a check whether the store reads and writes.
  private static func readiness(of store: any SubscriptionStore) -> Readiness {
    let trial = WriteTrial { await Database.keeps(store) }
    return Readiness {
      guard await Database.answers(store) else { return false }
      return await trial.passes()
    }
  }
}

extension Settings {
  fileprivate func verifyReceiptClient() throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    if let appStoreURL {
      configuration.urls = [
        .production: "\(appStoreURL)/production/verifyReceipt",
        .sandbox: "\(appStoreURL)/sandbox/verifyReceipt",
      ]
    }
    return try VerifyReceiptClient(
      transport: CurlHTTPTransport(), bundleIDs: Set(apps.map(\.bundleID)),
      sharedSecret: sharedSecret, configuration: configuration)
  }

  /// The receipt tiers before the database.
  ///
  /// A missing folder is created, accessible to its owner alone.
  fileprivate func receiptCaches() throws -> [any ReceiptStore] {
    guard let receiptsFolder else { return [] }
    try FileManager.default.createDirectory(
      atPath: receiptsFolder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    return [FileReceiptStore(directory: receiptsFolder)]
  }

  fileprivate var accountDirectory: any AccountDirectory {
    acceptsAnyAccount ? AnyAccountDirectory() : InMemoryAccountDirectory(accounts)
  }
}

/// A directory that contains every account, for tests.
private struct AnyAccountDirectory: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }

  func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    Account(primaryID: primaryID, secondID: secondID)
  }
}
