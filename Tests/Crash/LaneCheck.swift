import LinkPolicy
import PurchaseStorage
import ReceiptModels
import StorekeeperTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A comparison of a store with the ledger.
struct LaneCheck {
  let store: any PurchaseStore
  let ledger: Ledger

  /// Returns the differences; none if the store holds exactly the results of the answered requests,
  /// and each open request as a whole or not at all.
  func problems() async throws -> [String] {
    var problems = ledger.complaints
    let box = Box()
    do {
      try await store.write { records in
        box.problems = try await self.problems(in: records)
        // Reading the outbox takes leases, which the rollback releases.
        throw Finished()
      }
    } catch is Finished {}
    problems += box.problems
    return problems
  }

  private struct Finished: Error {}

  /// Carries the result past the rollback; one unit of work uses it.
  private final class Box: @unchecked Sendable {
    // Sendable because it is written inside one call and read after it.
    var problems: [String] = []
  }

  private func problems(in records: UnitOfWork) async throws -> [String] {
    let messages = try await records.outbox.lease(
      limit: 1_000_000, now: .distantFuture, until: .distantFuture, token: "check"
    ).map(\.message)
    let byAccount = Dictionary(grouping: messages) { $0.account?.id }
    let audit = StoreAudit(products: CrashScene.products)
    var problems: [String] = []
    for (name, lane) in ledger.lanes.sorted(by: { $0.key < $1.key }) {
      let expected = lane.states(lane: name)
      var found = LaneState(lane: name)
      try await Self.read(&found, ids: lane.ids, in: records)
      for message in byAccount[AccountID(stored: found.member)] ?? [] { found.count(message) }
      if byAccount[AccountID(stored: found.rival)] != nil {
        problems.append("\(name): a message to the rival")
      }
      if !expected.contains(found) {
        problems.append("\(name): found \(found), expected \(expected)")
      }
      problems += try await audit.findings(in: records, about: lane.ids).map {
        "\(name): \($0)"
      }
    }
    return problems
  }

  private static func read(
    _ state: inout LaneState, ids: [String], in records: UnitOfWork
  ) async throws {
    for row in try await records.storedSubscriptions.find(ids) {
      state.subscriptions[row.subscription.originalTransactionID] = LaneState.Owned(
        owner: row.subscription.owner?.rawValue)
    }
    for account in [state.member, state.rival] {
      let rows = try await records.memberships.find(
        account: Account(id: AccountID(stored: account)), appleSubscriptionIDs: [])
      if let row = rows.first {
        state.membership = account == state.member ? row.originalTransactionID : "of the rival"
      }
    }
    for id in ids {
      let events = try await records.memberships.history(of: .subscription(id), limit: 100_000)
      for event in events {
        switch event.kind {
        case .snapshot(_, let reason): state.count(.snapshot(id, reason.rawValue))
        case .dispute: state.count(.dispute(id))
        case .unlink: state.count(.archive(id))
        }
      }
    }
  }
}

extension LaneState {
  mutating func count(_ message: OutboxMessage) {
    switch message.kind {
    case .link: count(.linkMail(message.originalTransactionID))
    case .unlink: count(.unlinkMail(message.originalTransactionID))
    default: count(.syncMail(message.originalTransactionID))
    }
  }
}
