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
  /// Nil for a server of credits alone, which has no receipts.
  let migration: ReceiptMigrationJob?

  var appStore: AppStoreServerClient { recovery.appStore }
  /// Nil for a server of credits alone.
  let subscriptions: SubscriptionService?

  init(
    _ appStore: AppStoreServerClient, subscriptions: SubscriptionService?,
    notifications: NotificationService, settings: Settings
  ) throws {
    self.subscriptions = subscriptions
    recovery = NotificationRecovery(notifications: notifications, appStore: appStore)
    migration = try subscriptions.map { subscriptions in
      ReceiptMigrationJob(
        subscriptions: subscriptions, appStore: appStore,
        verifier: try AppReceiptVerifier(
          bundleIDs: [appStore.bundleID], environments: [.production, .sandbox],
          trustAnchors: [settings.testRoot ?? .appleRootCA]))
    }
  }

  /// Recovers the notifications that did not arrive since the last time, and logs how many.
  ///
  /// - Returns: False if another process is at it, or was killed while it was.
  func recover() async throws -> Bool {
    let reports = try await recovery.recover()
    for report in reports {
      ServerLog.note(
        "recovered",
        [
          "environment": .string(report.environment.rawValue),
          "recovered": .integer(report.recovered), "repeated": .integer(report.repeated),
          "refused": .integer(report.refused), "refreshed": .integer(report.refreshed),
          "leasedElsewhere": .boolean(report.isLeasedElsewhere),
        ])
    }
    return !reports.contains(where: \.isLeasedElsewhere)
  }

  /// Reads the histories of the customers with stored receipts, and logs how many.
  ///
  /// - Returns: False if another process is at it, or was killed while it was.
  func migrate() async throws -> Bool {
    guard let migration else { return true }
    let report = try await migration.run()
    ServerLog.note(
      "migrated",
      [
        "migrated": .integer(report.migrated), "known": .integer(report.known),
        "withoutPurchase": .integer(report.withoutPurchase), "refused": .integer(report.refused),
        "notFound": .integer(report.notFound), "failed": .integer(report.failed),
        "complete": .boolean(report.isComplete),
        "leasedElsewhere": .boolean(report.isLeasedElsewhere),
      ])
    return !report.isLeasedElsewhere
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
