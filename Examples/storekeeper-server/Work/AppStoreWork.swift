import AppStoreServerAPI
import JSONValues
import JWSVerifier
import ReceiptModels
import ReceiptVerifier
import Storekeeper

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The parts of the server that ask Apple's API, made from the settings.
struct AppStoreWork {
  /// One for each app.
  let recoveries: [NotificationRecovery]
  /// Nil without subscriptions, as there are no stored receipts then, and where there are several apps.
  private let migration: ReceiptMigrationJob?
  /// Nil for a server without subscriptions.
  private let subscriptions: SubscriptionService?

  /// Creates the work from the clients of the apps, at least one.
  init(
    _ appStores: [AppStoreServerClient], subscriptions: SubscriptionService?,
    notifications: NotificationService, settings: Settings
  ) throws {
    self.subscriptions = subscriptions
    recoveries = appStores.map { appStore in
      var recovery = NotificationRecovery(notifications: notifications, appStore: appStore)
      if appStores.count > 1 { recovery.scope = settings.appAppleID(of: appStore.bundleID) }
      return recovery
    }
    migration = try subscriptions.flatMap { subscriptions in
      guard appStores.count == 1, let appStore = appStores.first else { return nil }
      return ReceiptMigrationJob(
        subscriptions: subscriptions, appStore: appStore,
        verifier: try AppReceiptVerifier(
          bundleIDs: [appStore.bundleID], environments: [.production, .sandbox],
          trustAnchors: settings.trustAnchors(or: .appleRootCA)))
    }
  }

  /// Keeps the date of the last stored notification, before the first new one arrives.
  func keepPlace() async throws {
    for recovery in recoveries { try await recovery.keepPlace() }
  }

  /// Recovers the notifications of all apps; one that fails keeps no other from being asked.
  ///
  /// - Returns: What was recovered, and the first failure, after each was logged with its app.
  func recover(
    since date: Date?, _ extent: NotificationRecovery.Extent
  ) async throws -> (reports: [NotificationRecovery.Report], failure: (any Error)?) {
    var reports: [NotificationRecovery.Report] = []
    var failure: (any Error)?
    for errand in errands {
      do {
        reports.append(try await errand.recovery.recover(errand.environment, since: date, extent))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        ServerLog.noteFailure(error, of: errand.members)
        failure = failure ?? error
      }
    }
    return (reports, failure)
  }

  /// Compares the store with a customer's whole history in the app that knows the transaction.
  ///
  /// - Returns: The result; nil for a server without subscriptions.
  func reconcile(_ transactionID: String) async throws -> Reconciliation? {
    try await subscriptions?.reconcile(transactionID, withAnyOf: recoveries.map(\.appStore))
  }

  /// The recovery of the notifications of one app in one environment.
  struct Errand: Sendable {
    fileprivate let recovery: NotificationRecovery
    fileprivate let environment: AppStoreEnvironment

    /// The name of the errand in the log.
    var members: [(String, JSONValue)] {
      [
        ("app", .string(recovery.appStore.bundleID)),
        ("environment", .string(environment.rawValue)),
      ]
    }

    /// The recovery at the start, because the server was stopped before, and then on schedule; without an interval
    /// only at the start.
    func job(every interval: Duration?) -> BackgroundJob {
      .notifications(recovery, in: environment, every: interval) { report in
        ServerLog.note(
          "recovered",
          members + [
            ("recovered", .integer(report.recovered)), ("repeated", .integer(report.repeated)),
            ("refused", .integer(report.refused)), ("refreshed", .integer(report.refreshed)),
            ("leasedElsewhere", .boolean(report.isLeasedElsewhere)),
          ])
      }
    }
  }

  /// The recoveries of all apps in all environments, none of which waits for another.
  var errands: [Errand] {
    recoveries.flatMap { recovery in
      recovery.environments.map { Errand(recovery: recovery, environment: $0) }
    }
  }

  /// The reading of the histories of the customers with stored receipts; nil where there is none to read.
  var migrationJob: BackgroundJob? {
    guard let migration else { return nil }
    return .receiptMigration(migration) { report in
      ServerLog.note(
        "migrated",
        [
          "migrated": .integer(report.migrated), "known": .integer(report.known),
          "withoutPurchase": .integer(report.withoutPurchase), "refused": .integer(report.refused),
          "notFound": .integer(report.notFound), "failed": .integer(report.failed),
          "complete": .boolean(report.isComplete),
          "leasedElsewhere": .boolean(report.isLeasedElsewhere),
        ])
    }
  }
}

extension Settings {
  /// Apple's number of an app, in digits.
  fileprivate func appAppleID(of bundleID: String) -> String? {
    apps.first { $0.bundleID.utf8.elementsEqual(bundleID.utf8) }?.appAppleID.map { String($0) }
  }

  /// The clients of Apple's API, one for each app; none without a key.
  ///
  /// A token names its app, and Apple answers about transactions in that app only.
  func appStoreClients(_ verifier: SignedDataVerifier) throws -> [AppStoreServerClient] {
    guard let access = appStoreAccess else { return [] }
    var configuration = AppStoreServerClient.Configuration()
    configuration.urls = appStoreURLs
    configuration.now = now
    if let appStoreRate {
      configuration.limiter = RequestLimiter(share: Double(appStoreRate) / 100)
    }
    // The settings allow it on this machine only.
    configuration.allowsHTTP = allowsTestRoot
    let sandbox = appStoreURLs[.sandbox] ?? "https://api.storekit-sandbox.apple.com"
    return try access.bundleIDs.map { bundleID in
      try AppStoreServerClient(
        key: access.key, issuerID: access.issuerID, bundleID: bundleID, verifier: verifier,
        transport: WatchedTransport(
          .api, of: .apple, appID: bundleID, sandbox: sandbox, telemetry: figures?.port),
        configuration: configuration)
    }
  }

  /// The time of purchases: that of the machine, unless a test moves it.
  var now: @Sendable () -> Date {
    guard let testClock else { return { Date() } }
    return { testClock.now }
  }
}
