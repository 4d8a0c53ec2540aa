internal import AppStoreServerAPI
public import PurchaseStorage
public import ReceiptModels

// The parameter `then` of each conversion gets the result of a run, for a log.
extension BackgroundJob {
  /// The delivery of messages, every five seconds unless told otherwise.
  public static func outbox(
    _ delivery: OutboxDelivery, every interval: Duration = .seconds(5),
    then note: @escaping @Sendable (OutboxDelivery.Report) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("outbox", every: interval) { note(try await delivery.deliverDue()) }
  }

  /// The refresh of subscriptions that end soon, every hour unless told otherwise.
  public static func refresh(
    _ refreshes: RefreshJob, every interval: Duration = .seconds(3600),
    then note: @escaping @Sendable (RefreshRun) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("refresh", every: interval) { note(try await refreshes.run()) }
  }

  /// The validation of entitlements that is due, every minute unless told otherwise.
  public static func validation(
    _ entitlements: EntitlementService, every interval: Duration = .seconds(60),
    then note: @escaping @Sendable (RevalidationRun) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("validation", every: interval) { note(try await entitlements.revalidateDue()) }
  }

  /// The figures of the store, every minute unless told otherwise.
  public static func figures(
    _ figures: StoreFigures, every interval: Duration = .seconds(60)
  ) -> BackgroundJob {
    BackgroundJob("figures", every: interval) { try await figures.tell() }
  }

  /// The removal of old evidence, every hour unless told otherwise.
  public static func retention(
    _ retention: RetentionJob, every interval: Duration = .seconds(3600),
    then note: @escaping @Sendable ([RetainedKind: Int]) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("retention", every: interval) { note(try await retention.run()) }
  }

  /// The recovery of Apple's notifications that did not arrive, at the start and every hour unless told otherwise.
  ///
  /// An environment that can't be asked has the others read again with it. Where that is to be avoided, make a job
  /// of each (``notifications(_:in:every:then:)``).
  public static func notifications(
    _ recovery: NotificationRecovery, every interval: Duration? = .seconds(3600),
    then note: @escaping @Sendable ([NotificationRecovery.Report]) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("notifications", every: interval) {
      let reports = try await recovery.recover()
      note(reports)
      return reports.contains(where: \.isLeasedElsewhere) ? .leasedElsewhere : .done
    }
  }

  /// The recovery of Apple's notifications of one environment, which waits for no other.
  public static func notifications(
    _ recovery: NotificationRecovery, in environment: AppStoreEnvironment,
    every interval: Duration? = .seconds(3600),
    then note: @escaping @Sendable (NotificationRecovery.Report) -> Void = { _ in }
  ) -> BackgroundJob {
    let scope = PurchaseScope(appID: recovery.appStore.bundleID, environment: environment)
    return BackgroundJob("notifications", every: interval, of: scope) {
      let report = try await recovery.recover(environment)
      note(report)
      return report.isLeasedElsewhere ? .leasedElsewhere : .done
    }
  }

  /// The recovery of refunds at Google, at the start and every hour unless told otherwise.
  public static func voidedPurchases(
    _ recovery: VoidedPurchaseRecovery, every interval: Duration? = .seconds(3600),
    then note: @escaping @Sendable (VoidedPurchaseRecovery.Report) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("voided purchases", every: interval) {
      let report = try await recovery.recover()
      note(report)
      return report.isLeasedElsewhere ? .leasedElsewhere : .done
    }
  }

  /// The way of customers from receipts to transactions, until it was gone once.
  public static func receiptMigration(
    _ migration: ReceiptMigrationJob,
    then note: @escaping @Sendable (ReceiptMigrationJob.Report) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("receipt migration", every: nil) {
      let report = try await migration.run()
      note(report)
      return report.isLeasedElsewhere ? .leasedElsewhere : .done
    }
  }

  /// The decoding of notifications that an earlier version could not decode, once.
  public static func keptNotifications(
    _ notifications: NotificationService,
    then note: @escaping @Sendable (NotificationService.KeptResult) -> Void = { _ in }
  ) -> BackgroundJob {
    BackgroundJob("kept notifications", every: nil) {
      note(try await notifications.decodeKept())
    }
  }
}
