import JSONValues
import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
