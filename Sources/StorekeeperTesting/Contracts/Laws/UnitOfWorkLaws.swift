internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

enum UnitOfWorkLaws {
  /// All or nothing, and visible afterwards.
  static let all: [StoreLaw] = [
    Law("A new store is empty") { store in
      let found = try await store.read { records in
        [
          try await records.storedSubscriptions.list(owner: "member", offset: 0, limit: 10).total,
          try await records.outbox.unsentCount(),
          try await records.refreshes.runs(limit: 10).count,
        ]
      }
      try expect("counts", found, is: [0, 0, 0])
    },
    Law("What was written is seen as soon as write has returned") { store in
      try await store.save(Sample.subscription())
      try expect("a stored subscription", try await store.subscription() != nil)
    },
    Law("A unit of work sees what it wrote itself") { store in
      let isSeen = try await store.write { records in
        try await records.storedSubscriptions.save(
          Sample.subscription(), asOf: Sample.now, now: Sample.now)
        return try await !records.storedSubscriptions.find(["1000000000000001"]).isEmpty
      }
      try expect("the subscription inside the unit of work", isSeen)
    },
    Law("An error of the closure is passed on unchanged, from write and from read") { store in
      for number in [1, 2] {
        do {
          if number == 1 {
            try await store.write { _ in throw Interruption(number: number) }
          } else {
            try await store.read { _ in throw Interruption(number: number) }
          }
          throw ContractMismatch(expected: "Interruption", found: "no error")
        } catch let error as Interruption {
          try expect("the number of the error", error.number, is: number)
        }
      }
    },
    Law("A unit of work that throws keeps nothing of what it wrote anew") { store in
      try await store.writeUndone { try await writeEverything($0) }
      try await expectNothing(in: store)
    },
    Law("A unit of work that throws keeps nothing of what it changed") { store in
      try await store.save(Sample.subscription())
      let row = try await store.insert(try Sample.membership("member"))
      try await store.writeUndone { records in
        try await records.storedSubscriptions.setOwner("member", of: Sample.id, now: Sample.now)
        var changed = row
        changed.tier = .premium
        let stored = try await records.memberships.update(changed, previous: row)
        try await records.memberships.delete(stored)
      }
      try expect("the owner", try await store.owner(), is: nil)
      try expect("the membership", try await store.membership("member"), is: row)
    },
    Law("A unit of work that a unique key stops keeps nothing") { store in
      try await store.insert(try Sample.appleMembership("first", of: "1000000000000001"))
      try await expectFailure(.duplicate(.originalTransactionID)) {
        try await store.write { records in
          try await records.storedSubscriptions.save(
            Sample.subscription(), asOf: Sample.now, now: Sample.now)
          try await records.outbox.add(try Sample.message(), now: Sample.now)
          _ = try await records.memberships.insert(
            try Sample.appleMembership("second", of: "1000000000000001"))
        }
      }
      try expect("no subscription", try await store.subscription() == nil)
      try expect("unsent messages", try await store.unsentCount(), is: 0)
    },
    Law("After a unit of work has thrown, the next one works") { store in
      for _ in 0..<20 {
        try await store.writeUndone {
          try await $0.storedSubscriptions.save(
            Sample.subscription(), asOf: Sample.now, now: Sample.now)
        }
      }
      try await store.save(Sample.subscription())
      try expect("a stored subscription", try await store.subscription() != nil)
    },
    Law("A unit of work that reads keeps nothing that is written in it") { store in
      do {
        try await store.read {
          try await $0.storedSubscriptions.save(
            Sample.subscription(), asOf: Sample.now, now: Sample.now)
        }
      } catch is StorageFailure {}
      try expect("no subscription", try await store.subscription() == nil)
    },
  ]

  /// Writes a row of every kind.
  private static func writeEverything(_ records: UnitOfWork) async throws {
    let (now, subscription) = (Sample.now, Sample.subscription())
    try await records.storedSubscriptions.save(subscription, asOf: now, now: now)
    try await records.purchases.record(
      transactions: [Sample.transaction(signed: now)], environment: .production, now: now)
    try await records.purchases.replace(
      renewals: [Sample.renewal("com.example.standard.month")], of: "1000000000000001",
      environment: .production, asOf: now, now: now)
    try await records.purchases.record(session: Sample.session(), now: now)
    try await records.purchases.put(Sample.receipt("QUJD"), now: now)
    _ = try await records.notifications.record(notification: Sample.notification("key"), now: now)
    let row = try await records.memberships.insert(try Sample.membership("member"))
    try await records.memberships.snapshot(row, reason: .link, now: now)
    let account = try Sample.account("member")
    try await records.memberships.recordDispute(
      originalTransactionID: "1000000000000001", account: account, now: now)
    try await records.memberships.recordUnlink(
      originalTransactionID: "1000000000000001", accountID: "member", now: now)
    try await records.outbox.add(try Sample.message(), now: now)
    _ = try await records.refreshes.beginRun(now: now)
  }

  /// Throws if anything of ``writeEverything(_:)`` is stored.
  private static func expectNothing(in store: any PurchaseStore) async throws {
    let id = "1000000000000001"
    try await store.read { records in
      try expect("no subscription", try await records.storedSubscriptions.find([id]).isEmpty)
      let evidence = records.purchases
      try expect(
        "no transaction",
        try await evidence.transactions(of: [id], environment: .production).isEmpty)
      try expect(
        "no renewal", try await evidence.renewals(of: [id], environment: .production).isEmpty)
      try expect("no receipt", try await evidence.receipt(of: id, environment: .production) == nil)
      try expect(
        "no notification",
        try await !records.notifications.isSeen(notificationKey: "key"))
      try expect(
        "no membership",
        try await records.memberships.find(
          account: try Sample.account("member"), appleSubscriptionIDs: [id]
        ).isEmpty)
      try expect(
        "no history of the subscription",
        try await records.memberships.history(of: .subscription(id), limit: 10).isEmpty)
      try expect(
        "no history of the account",
        try await records.memberships.history(of: .account("member"), limit: 10).isEmpty)
      try expect("unsent messages", try await records.outbox.unsentCount(), is: 0)
      try expect("no run", try await records.refreshes.runs(limit: 10).isEmpty)
    }
  }
}
