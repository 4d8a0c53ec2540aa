internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum RetentionLaws {
  /// The laws of the removal of old evidence.
  static let all: [StoreLaw] = [
    Law("The removal of a kind is one worker's until its lease ends or is given back") { store in
      try expect("the first", try await lease(store, .sessions, "one"), is: true)
      try expect("the second", try await lease(store, .sessions, "two"), is: false)
      try expect("of another kind", try await lease(store, .snapshots, "two"), is: true)
      try expect(
        "after the end", try await lease(store, .sessions, "three", at: Sample.later(600)),
        is: true)
      try await giveBack(store, .sessions, "one")
      try expect(
        "after a lost lease was given back",
        try await lease(store, .sessions, "four", at: Sample.later(601)), is: false)
      try await giveBack(store, .sessions, "three")
      try expect(
        "after it was given back",
        try await lease(store, .sessions, "five", at: Sample.later(601)), is: true)
    },
    Law("Of 8 workers that want the removal of a kind at once one gets it") { store in
      try await expectOne(of: 8, "of workers that got it") { worker in
        try await lease(store, .notifications, "worker-\(worker)")
      }
    },
    Law("A notification that was removed is new again, and no other") { store in
      for (number, key) in ["first", "second", "third"].enumerated() {
        try await store.notify(Sample.notification(key), now: Sample.later(Double(number)))
      }
      let removed = try await store.write {
        try await $0.retention.removeNotifications(before: Sample.later(2), limit: 1)
      }
      try expect("how many were removed", removed, is: 1)
      for (key, isSeen) in [("first", false), ("second", true), ("third", true)] {
        try expect("whether \(key) is stored", try await store.isSeen(key), is: isSeen)
      }
    },
    removal(.notifications) { records, number, date in
      _ = try await records.notifications.record(
        notification: Sample.notification("key-\(number)"), now: date)
    } removing: {
      try await $0.retention.removeNotifications(before: $1, limit: $2)
    },
    removal(.sessions) { records, number, date in
      try await records.purchases.record(
        session: Sample.session(Sample.days(Double(-number))), now: date)
    } removing: {
      try await $0.retention.removeSessions(before: $1, limit: $2)
    },
    removal(.consumption) { records, number, date in
      var request = request("key-\(number)", at: date)
      request.state = .declined
      _ = try await records.consumption.add(request)
    } removing: {
      try await $0.retention.removeConsumptionCases(before: $1, limit: $2)
    },
    Law("A request for consumption information that waits for an answer is not removed") { store in
      let removed = try await store.write { records in
        _ = try await records.consumption.add(request("waiting", at: Sample.now))
        _ = try await records.consumption.add(request("answered", at: Sample.now))
        try await records.consumption.settle(
          key: "answered", state: .answered, answer: "{}", now: Sample.later(1))
        return try await records.retention.removeConsumptionCases(
          before: Sample.days(1), limit: 10)
      }
      try expect("how many were removed", removed, is: 1)
      for (key, isStored) in [("waiting", true), ("answered", false)] {
        let found = try await store.read { try await $0.consumption.find(key: key) }
        try expect("whether the one that is \(key) is stored", found != nil, is: isStored)
      }
    },
  ]

  private static func request(_ key: String, at date: Date) -> ConsumptionCase {
    ConsumptionCase(
      key: key, environment: .production, transactionID: "1002", originalTransactionID: "1001",
      requestedDate: date, deadline: date.addingTimeInterval(43_200))
  }

  /// The laws of the removal of old copies of memberships.
  static let snapshots: [StoreLaw] = [
    Law("The removal of copies of memberships leaves disputes and unlinks") { store in
      let row = try await store.insert(try Sample.appleMembership("member", of: "1001"))
      try await store.write { records in
        let memberships = try records.memberships
        try await memberships.snapshot(row, reason: .link, now: Sample.later(0))
        try await memberships.recordDispute(
          originalTransactionID: "1001", account: try Sample.account("member"),
          now: Sample.later(0))
        try await memberships.recordUnlink(
          originalTransactionID: "1001", accountID: "member", now: Sample.later(0))
        try await memberships.snapshot(row, reason: .poll, now: Sample.later(5))
      }
      let removed = try await store.write {
        try await $0.memberships.removeSnapshots(before: Sample.later(5), limit: 10)
      }
      try expect("how many were removed", removed, is: 1)
      let events = try await store.history(of: .subscription("1001"), limit: 10)
      try expect("how many events are left", events.count, is: 3)
      guard case .snapshot(_, .poll)? = events.last?.kind else {
        throw ContractMismatch(expected: "the later copy", found: "\(events)")
      }
    },
    removal(.snapshots) { records, number, date in
      try await records.memberships.snapshot(
        try Sample.membership(AccountID("member-\(number)")), reason: .link, now: date)
    } removing: {
      try await $0.memberships.removeSnapshots(before: $1, limit: $2)
    },
  ]

  /// The law of the removal of one kind.
  private static func removal(
    _ kind: RetainedKind,
    recording record:
      nonisolated(nonsending) @escaping @Sendable (UnitOfWork, Int, Date) async throws
      -> Void,
    removing remove:
      nonisolated(nonsending) @escaping @Sendable (UnitOfWork, Date, Int) async throws
      -> Int
  ) -> StoreLaw {
    Law("Old \(kind.rawValue) are removed in steps, the oldest first, and none that is not old") {
      store in
      for (number, seconds) in [30.0, 10, 40, 20].enumerated() {
        try await store.write { try await record($0, number, Sample.later(seconds)) }
      }
      // A moment within a second is after the rows of that second.
      for (before, limit, count) in [
        (Sample.later(10), 10, 0), (Sample.later(40), 0, 0), (Sample.later(10.5), 10, 1),
        (Sample.later(40), 1, 1), (Sample.later(40), 10, 1), (Sample.later(40), 10, 0),
        (Sample.days(1), 10, 1), (Sample.days(1), 10, 0),
      ] {
        let removed = try await store.write { try await remove($0, before, limit) }
        try expect("how many were removed", removed, is: count)
      }
    }
  }

  private static func lease(
    _ store: any PurchaseStore, _ kind: RetainedKind, _ token: String, at now: Date = Sample.now
  ) async throws -> Bool {
    try await store.write {
      try await $0.retention.lease(
        kind, now: now, until: now.addingTimeInterval(600), token: token)
    }
  }

  private static func giveBack(
    _ store: any PurchaseStore, _ kind: RetainedKind, _ token: String
  ) async throws {
    try await store.write { try await $0.retention.giveBack(kind, token: token) }
  }
}
