import AppStoreServerAPI
import CurlTransport
import JSONValues
import JWSVerifier
import ReceiptModels
import ReceiptVerifier
import Storekeeper

/// The parts of the server that ask Apple's API, made from the settings.
struct AppStoreWork {
  let recovery: NotificationRecovery
  let migration: ReceiptMigrationJob

  var appStore: AppStoreServerClient { recovery.appStore }
  var subscriptions: SubscriptionService { recovery.notifications.subscriptions }

  init(
    _ appStore: AppStoreServerClient, notifications: NotificationService, settings: Settings
  ) throws {
    recovery = NotificationRecovery(notifications: notifications, appStore: appStore)
    migration = ReceiptMigrationJob(
      subscriptions: notifications.subscriptions, appStore: appStore,
      verifier: try AppReceiptVerifier(
        bundleIDs: [appStore.bundleID], environments: [.production, .sandbox],
        trustAnchors: [settings.testRoot ?? .appleRootCA]))
  }

  /// Recovers the notifications that did not arrive since the last time, and logs how many.
  func recover() async throws {
    for report in try await recovery.recover() {
      ServerLog.note(
        "recovered",
        [
          "environment": .string(report.environment.rawValue),
          "recovered": .integer(report.recovered), "repeated": .integer(report.repeated),
          "refused": .integer(report.refused), "refreshed": .integer(report.refreshed),
          "leasedElsewhere": .boolean(report.isLeasedElsewhere),
        ])
    }
  }

  /// Reads the histories of the customers with stored receipts, and logs how many.
  func migrate() async throws {
    let report = try await migration.run()
    ServerLog.note(
      "migrated",
      [
        "migrated": .integer(report.migrated), "known": .integer(report.known),
        "withoutPurchase": .integer(report.withoutPurchase), "refused": .integer(report.refused),
        "notFound": .integer(report.notFound), "complete": .boolean(report.isComplete),
        "leasedElsewhere": .boolean(report.isLeasedElsewhere),
      ])
  }
}

extension Settings {
  /// The client of Apple's API; nil without a key.
  func appStoreClient(_ verifier: SignedDataVerifier) throws -> AppStoreServerClient? {
    guard let access = appStoreAccess else { return nil }
    var configuration = AppStoreServerClient.Configuration()
    configuration.urls = appStoreURLs
    // The settings allow it on this machine only.
    configuration.allowsHTTP = allowsTestRoot
    return try AppStoreServerClient(
      key: access.key, issuerID: access.issuerID, bundleID: access.bundleID,
      verifier: verifier, transport: CurlHTTPTransport(), configuration: configuration)
  }
}
