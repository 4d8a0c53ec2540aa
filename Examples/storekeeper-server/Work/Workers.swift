import PurchaseStorage
import JSONValues
import ReceiptModels
import Storekeeper
import StorekeeperLocks

/// The background work: delivers the outbox, refreshes subscriptions that expire soon, validates those
/// of entitlements, removes old evidence where an age is set, with a key recovers notifications and migrates
/// receipts, and with an account of Google follows voided purchases.
struct Workers {
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
  let settings: Settings

  /// Works until the task is cancelled; work under way is finished, or its lease is given back.
  func run() async {
    await withTaskGroup { group in
      group.addTask { await decodeAtStart() }
      group.addTask { await deliver() }
      group.addTask { await every(60) { try await backlog.note() } }
      if let refreshes { group.addTask { await refresh(refreshes) } }
      if let validations { group.addTask { await validate(validations) } }
      if let voided { group.addTask { await recover(voided) } }
      if !retention.configuration.ages.isEmpty { group.addTask { await removeOld() } }
      if let appStore {
        for errand in appStore.errands { group.addTask { await recover(errand) } }
        if settings.migratesReceipts {
          group.addTask { await untilDone { try await appStore.migrate() } }
        }
      }
    }
  }

  /// Decodes the stored notifications that an earlier version of the models could not decode.
  func decodeKept() async throws -> NotificationService.KeptResult {
    try await notifications?.decodeKept() ?? NotificationService.KeptResult()
  }

  private func decodeAtStart() async {
    await untilDone {
      let result = try await decodeKept()
      guard result != NotificationService.KeptResult() else { return true }
      ServerLog.note(
        "decoded again",
        [
          "applied": .integer(result.applied), "refused": .integer(result.refused),
          "undecoded": .integer(result.undecoded),
        ])
      return true
    }
  }

  /// Recovers notifications at the start, because the server was stopped before, and then on schedule.
  private func recover(_ errand: AppStoreWork.Errand) async {
    await atStart(andEvery: settings.recoveryInterval, named: errand.members) {
      try await errand.run()
    }
  }

  /// Follows the voided purchases that no notification told of, and logs how many.
  private func recover(_ voided: VoidedPurchaseRecovery) async {
    await atStart(andEvery: settings.googleVoidedInterval ?? 3600) {
      let report = try await voided.recover()
      ServerLog.note(
        "voided purchases",
        [
          "entries": .integer(report.entries), "new": .integer(report.new),
          "failed": .integer(report.failed),
          "leasedElsewhere": .boolean(report.isLeasedElsewhere),
        ])
      return !report.isLeasedElsewhere
    }
  }

  private func deliver() async {
    await every(settings.outboxInterval) {
      _ = try await outbox.deliverDue()
    }
  }

  private func refresh(_ refreshes: RefreshJob) async {
    await every(settings.refreshInterval) {
      let run = try await refreshes.run()
      guard run.succeeded + run.failed > 0 else { return }
      ServerLog.note(
        "refreshed", ["succeeded": .integer(run.succeeded), "failed": .integer(run.failed)])
    }
  }

  private func validate(_ entitlements: EntitlementService) async {
    await every(settings.validationInterval) {
      let run = try await entitlements.revalidateDue()
      guard run.succeeded + run.failed > 0 else { return }
      ServerLog.note(
        "validated", ["succeeded": .integer(run.succeeded), "failed": .integer(run.failed)])
    }
  }

  private func removeOld() async {
    await every(3600) {
      for (kind, count) in try await retention.run() where count > 0 {
        ServerLog.note("removed", ["kind": .string(kind.rawValue), "count": .integer(count)])
      }
    }
  }

  /// Does work until it succeeds, and again on schedule; 0 seconds for only once.
  private func atStart(
    andEvery seconds: Int, named members: [(String, JSONValue)] = [],
    _ work: () async throws -> Bool
  ) async {
    var backOff = Self.backOff
    // A failure must not wait longer than the next regular run would.
    if seconds > 0 { backOff.longest = max(backOff.first, min(backOff.longest, .seconds(seconds))) }
    repeat {
      await untilDone(backOff, named: members, work)
      guard seconds > 0 else { return }
      try? await Task.sleep(for: .seconds(seconds))
    } while !Task.isCancelled
  }

  /// The pauses after failures: a minute, and up to a quarter of an hour.
  private static let backOff = BackOff(first: .seconds(60), longest: .seconds(900))

  /// Repeats work until it succeeds once: Apple or the database may be unreachable for a while, and
  /// the lease of a process that was killed lives on for some minutes.
  private func untilDone(
    _ backOff: BackOff = Self.backOff, named members: [(String, JSONValue)] = [],
    _ work: () async throws -> Bool
  ) async {
    var failures = 0
    while !Task.isCancelled {
      var pause = backOff.first
      do {
        if try await work() { return }
        failures = 0
      } catch {
        guard !Task.isCancelled else { return }
        ServerLog.noteFailure(error, of: members)
        failures += 1
        pause = backOff.pause(after: failures, chance: .random(in: 0...1))
      }
      try? await Task.sleep(for: pause)
    }
  }

  private func every(_ seconds: Int, _ work: () async throws -> Void) async {
    while !Task.isCancelled {
      do {
        try await work()
      } catch is CancellationError {
        return
      } catch {
        ServerLog.noteFailure(error)
      }
      try? await Task.sleep(for: .seconds(seconds))
    }
  }
}

/// An outbox handler that logs each message without its recipient, in place of the host's own work.
struct MessageLog: OutboxHandler {
  /// Kinds that nobody delivers, so that they stay in the outbox.
  var heldKinds: Set<OutboxMessage.Kind> = []

  func deliver(_ message: OutboxMessage, number: Int) async throws {
    ServerLog.note(
      "message", ["number": .integer(number), "kind": .string(message.kind.rawValue)])
  }
}
