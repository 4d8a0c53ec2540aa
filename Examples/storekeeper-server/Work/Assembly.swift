import AppStoreServerAPI
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
    let verifier = try SignedDataVerifier(
      apps: settings.apps, environments: [.production, .sandbox],
      trustAnchors: [settings.testRoot ?? .appleRootCAG3])
    let appStore = try settings.appStoreClient(verifier)
    let subscriptions = SubscriptionService(
      store: database.store, accounts: settings.accountDirectory,
      appStore: try settings.verifyReceiptClient(), sources: appStore.map { [$0] } ?? [],
      products: settings.products,
      receiptCaches: try settings.receiptCaches(), options: settings.options,
      report: { ServerLog.note($0) })
    let notifications = NotificationService(
      subscriptions: subscriptions, verifier: verifier,
      passwords: settings.sharedSecret.map { [$0] } ?? [])
    site = Site(
      api: SubscriptionAPI(
        subscriptions, notifications: notifications,
        retentionMessages: settings.retentionMessage.map { message in
          RetentionMessageService(
            verifier: verifier, answerer: OneMessage(identifier: message),
            report: { ServerLog.note($0) })
        },
        authenticator: BearerTokens(settings.tokens), bodyLimit: settings.server.bodyLimit,
        observer: AccessLog()),
      readiness: Self.readiness(of: database.store))
    workers = Workers(
      notifications: notifications,
      outbox: OutboxDelivery(
        store: database.store.narrowed { $0 }, handler: settings.handler(appStore, database.store),
        report: { ServerLog.note($0) }),
      refreshes: RefreshJob(subscriptions: subscriptions),
      retention: try RetentionJob(store: database.store, configuration: settings.retention),
      appStore: try appStore.map {
        try AppStoreWork(
          $0, subscriptions: subscriptions, notifications: notifications, settings: settings)
      },
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
  /// The handler of the outbox, which answers requests for consumption information where that is set.
  fileprivate func handler(
    _ appStore: AppStoreServerClient?, _ store: any SubscriptionStore
  ) -> any OutboxHandler {
    guard let appStore, let consumption else { return MessageLog() }
    return ConsumptionDelivery(
      appStore: appStore, answerer: OneConsumption(information: consumption),
      store: store.narrowed { $0 }, otherMessages: MessageLog(), report: { ServerLog.note($0) })
  }

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
