import PurchaseStorage
import ReceiptModels
import Storekeeper

/// What runs beside the requests: the outbox is delivered, subscriptions that end soon are asked about
/// again, and evidence that is old is removed where an age is set.
struct Workers {
  let notifications: NotificationService
  let outbox: OutboxDelivery
  let refreshes: RefreshJob
  let retention: RetentionJob
  let settings: Settings

  /// Works until the task is cancelled; what is under way is ended or given back.
  func run() async {
    await withTaskGroup { group in
      group.addTask { await decodeAtStart() }
      group.addTask { await deliver() }
      group.addTask { await refresh() }
      if !retention.configuration.ages.isEmpty { group.addTask { await removeOld() } }
    }
  }

  /// Decodes again the notifications that an earlier version of the models did not decode.
  func decodeKept() async throws -> NotificationService.KeptResult {
    try await notifications.decodeKept()
  }

  private func decodeAtStart() async {
    // Again until it has gone through once: Apple or the database may be away for a while.
    while !Task.isCancelled {
      do {
        let result = try await decodeKept()
        guard result != NotificationService.KeptResult() else { return }
        return ServerLog.note(
          "decoded again", ("applied", .number(result.applied)),
          ("refused", .number(result.refused)), ("undecoded", .number(result.undecoded)))
      } catch is CancellationError {
        return
      } catch {
        ServerLog.note("worker failed", ("error", .text(SafeText.of(error))))
      }
      try? await Task.sleep(for: .seconds(60))
    }
  }

  private func deliver() async {
    await every(settings.outboxInterval) {
      _ = try await outbox.deliverDue()
    }
  }

  private func refresh() async {
    await every(settings.refreshInterval) {
      let run = try await refreshes.run()
      guard run.succeeded + run.failed > 0 else { return }
      ServerLog.note(
        "refreshed", ("succeeded", .number(run.succeeded)), ("failed", .number(run.failed)))
    }
  }

  private func removeOld() async {
    await every(3600) {
      for (kind, count) in try await retention.run() where count > 0 {
        ServerLog.note("removed", ("kind", .text(kind.rawValue)), ("count", .number(count)))
      }
    }
  }

  private func every(_ seconds: Int, _ work: () async throws -> Void) async {
    while !Task.isCancelled {
      do {
        try await work()
      } catch is CancellationError {
        return
      } catch {
        ServerLog.note("worker failed", ("error", .text(SafeText.of(error))))
      }
      try? await Task.sleep(for: .seconds(seconds))
    }
  }
}

/// Stands in the place of a mailer: tells of each message, and not about whom it is.
struct MessageLog: OutboxHandler {
  func deliver(_ message: OutboxMessage, number: Int) async throws {
    ServerLog.note(
      "message", ("number", .number(number)), ("kind", .text(message.kind.rawValue)))
  }
}
