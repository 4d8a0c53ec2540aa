import JSONValues
import PurchaseStorage
import ReceiptModels
import Storekeeper

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The background work: delivers the outbox, refreshes subscriptions that expire soon, validates those
/// of entitlements, removes old evidence where an age is set, with a key recovers notifications and migrates
/// receipts, and with an account of Google follows voided purchases.
struct Workers {
  let shop: PurchaseContext
  /// Nil for a server of orders alone.
  let notifications: NotificationService?
  let outbox: OutboxDelivery
  let backlog: BacklogLog
  /// Nil for a server of credits alone.
  let refreshes: RefreshJob?
  let retention: RetentionJob
  /// Nil without a key for Apple's API.
  let appStore: AppStoreWork?
  /// Nil for a server that asks Apple for no entitlements from time to time.
  let validations: EntitlementService?
  /// Nil without an account of Google.
  let voided: VoidedPurchaseRecovery?
  /// Nil without a key for Apple's API and without an account of Google.
  let rebuild: Rebuild?
  let purchases: PurchaseImport
  let events: EventLog
  let eraser: AccountEraser
  let senders: [WebhookSender]
  let forwarders: [NotificationForwarder]
  let settings: Settings

  /// Works until the task is cancelled; work under way is finished, or its lease is given back.
  func run() async { await BackgroundWork(shop, jobs).run() }

  /// Decodes the stored notifications that an earlier version of the models could not decode.
  func decodeKept() async throws -> NotificationService.KeptResult {
    try await notifications?.decodeKept() ?? NotificationService.KeptResult()
  }

  private var jobs: [BackgroundJob] {
    var jobs: [BackgroundJob] = [
      .outbox(outbox, every: .seconds(settings.outboxInterval)),
      BackgroundJob("backlog", every: .seconds(60)) { try await backlog.note() },
      .retention(retention) { Self.note($0) },
      // Also without events, as there may be some from before.
      .eventRetention(events),
    ]
    if settings.keepsMoneyFigures { jobs.append(.moneyFigures(MoneyFigures(shop))) }
    jobs += senders.map { .webhooks($0) } + forwarders.map { .forwarding($0) }
    if shop.telemetry != nil {
      var figures = StoreFigures(shop)
      figures.heldKinds = settings.heldKinds.union(settings.kindsForSupport)
      jobs.append(.figures(figures))
    }
    if let notifications { jobs.append(.keptNotifications(notifications) { Self.note($0) }) }
    if let refreshes {
      jobs.append(
        .refresh(refreshes, every: .seconds(settings.refreshInterval)) { run in
          Self.note("refreshed", succeeded: run.succeeded, failed: run.failed)
        })
    }
    if let validations {
      jobs.append(
        .validation(validations, every: .seconds(settings.validationInterval)) { run in
          Self.note("validated", succeeded: run.succeeded, failed: run.failed)
        })
    }
    if let voided {
      let interval = Self.interval(settings.googleVoidedInterval ?? 3600)
      jobs.append(.voidedPurchases(voided, every: interval) { Self.note($0) })
    }
    if let appStore {
      jobs += appStore.errands.map { $0.job(every: Self.interval(settings.recoveryInterval)) }
      if settings.migratesReceipts, let migration = appStore.migrationJob {
        jobs.append(migration)
      }
    }
    return jobs
  }

  /// The interval of a job that 0 seconds have run only at the start.
  private static func interval(_ seconds: Int) -> Duration? {
    seconds > 0 ? .seconds(seconds) : nil
  }

  // MARK: The log of what was done

  /// Logs the endpoints and the servers that get nothing, as they answered 410.
  func tellDisabled() async throws {
    for sender in senders {
      guard try await sender.isDisabled() else { continue }
      ServerLog.note("endpoint is disabled", ["endpoint": .string(sender.endpoint.name)])
    }
    for forwarder in forwarders {
      guard try await forwarder.isDisabled() else { continue }
      ServerLog.note("endpoint is disabled", ["target": .string(forwarder.target.name)])
    }
  }

  private static func note(_ result: NotificationService.KeptResult) {
    guard result != NotificationService.KeptResult() else { return }
    ServerLog.note(
      "decoded again",
      [
        "applied": .integer(result.applied), "refused": .integer(result.refused),
        "undecoded": .integer(result.undecoded),
      ])
  }

  private static func note(_ event: String, succeeded: Int, failed: Int) {
    guard succeeded + failed > 0 else { return }
    ServerLog.note(event, ["succeeded": .integer(succeeded), "failed": .integer(failed)])
  }

  private static func note(_ removed: [RetainedKind: Int]) {
    for (kind, count) in removed where count > 0 {
      ServerLog.note("removed", ["kind": .string(kind.rawValue), "count": .integer(count)])
    }
  }

  private static func note(_ report: VoidedPurchaseRecovery.Report) {
    ServerLog.note(
      "voided purchases",
      [
        "entries": .integer(report.entries), "new": .integer(report.new),
        "failed": .integer(report.failed),
        "leasedElsewhere": .boolean(report.isLeasedElsewhere),
      ])
  }
}

/// An outbox handler that logs each message without its recipient, in place of the host's own work.
struct MessageLog: OutboxHandler {
  /// Kinds that nobody delivers, so that they stay in the outbox.
  var heldKinds: Set<OutboxMessage.Kind> = []

  func deliver(_ message: OutboxMessage, number: Int) async throws {
    ServerLog.note("message", ["number": .integer(number), "kind": .string(message.kind.rawValue)])
  }
}

/// Logs the number and the age of the messages that wait in the outbox, if there are any.
struct BacklogLog: Sendable {
  let store: any PurchaseStore
  let now: @Sendable () -> Date

  func note() async throws {
    let backlog = try await store.read { try await $0.outbox.backlog() }
    guard backlog.waiting + backlog.parked > 0 else { return }
    let age = backlog.oldestDate.map { max(0, now().timeIntervalSince($0)) } ?? 0
    ServerLog.note(
      "outbox",
      [
        "waiting": .integer(backlog.waiting), "oldestSeconds": .integer(Int(age)),
        "parked": .integer(backlog.parked),
      ])
  }
}
