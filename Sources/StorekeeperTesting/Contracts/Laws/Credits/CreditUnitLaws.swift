internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = CreditSample

enum StarterClaimLaws {
  /// The laws of claims of starter packs.
  static let all: [StoreLaw] = [
    Law("An identity is marked once, and its first mark stays") { store in
      try expect("no claim", try await store.claim("ann@example.com") == nil)
      let first = try await store.mark("ann@example.com")
      try expect("whether the first was marked", first, is: true)
      let second = try await store.mark(
        "ann@example.com", userID: "another", transactionID: "2000000900000002")
      try expect("whether the second was marked", second, is: false)
      try expect(
        "the claim", try await store.claim("ann@example.com"),
        is: StarterClaim(
          identity: "ann@example.com", userID: "buyer", hasPurchasedStarterPack: true,
          starterTransactionID: "2000000900000001", starterPurchasedDate: Sample.now))
    },
    Law("Identities are compared byte by byte") { store in
      for identity in ["ann@example.com", "Ann@example.com", "é", "e\u{301}", " ", "user:1"] {
        let isMarked = try await store.mark(identity)
        try expect("whether \(identity.debugDescription) was marked", isMarked, is: true)
      }
    },
    Law("Of 16 marks of one identity at once one is made") { store in
      try await expectOne(of: 16, "that was made") { number in
        try await store.mark("ann@example.com", transactionID: "\(number)")
      }
    },
  ]
}

enum CreditNotificationLaws {
  static let all: [StoreLaw] = [
    Law("A notification for credits is read as it was recorded, once") { store in
      var first = Sample.notification("uuid")
      let isNew = try await store.record(first)
      try expect("whether it was new", isNew, is: true)
      var second = first
      second.type = "REVOKE"
      second.outcome = .noChange
      let isAgain = try await store.record(second)
      try expect("whether it was new again", isAgain, is: false)
      try expect("the notification", try await store.creditNotification("uuid"), is: first)
      try expect("no other", try await store.creditNotification("other") == nil)
      for (index, outcome) in NoticeOutcome.allCases.enumerated() {
        first.uuid = "uuid-\(index)"
        first.environment = .xcode
        first.type = ""
        first.subtype = "VOLUNTARY"
        first.transactionID = nil
        first.outcome = outcome
        _ = try await store.record(first)
        try expect("the notification", try await store.creditNotification(first.uuid), is: first)
      }
    },
    Law("Of 16 recordings of one notification at once one is new") { store in
      try await expectOne(of: 16, "that was new") { _ in
        try await store.record(Sample.notification("uuid"))
      }
    },
  ]
}

enum CreditUnitLaws {
  /// The laws of units of work with credits.
  static let all: [StoreLaw] = [
    Law("A unit of work that throws keeps nothing of the credits that it wrote") { store in
      try await store.book(40, "before")
      let stored = try await store.insert(Sample.transaction("1", status: .open))
      try await store.writeUndone { try await writeAll(in: $0, changing: stored) }
      try await expectNothing(in: store, besides: stored)
    },
    Law("A unit of work that only reads keeps no credits that are written in it") { store in
      try await store.book(40, "before")
      let stored = try await store.insert(Sample.transaction("1", status: .open))
      do {
        try await store.read { try await writeAll(in: $0, changing: stored) }
      } catch is StorageFailure {}
      try await expectNothing(in: store, besides: stored)
    },
    Law("A duplicate undoes the credits that its unit of work wrote before") { store in
      try await store.book(40, "before")
      let stored = try await store.insert(Sample.transaction("1", status: .open))
      try await expectFailure(.duplicate(.ledgerEvent)) {
        try await store.write { records in
          try await writeAll(in: records, changing: stored)
          _ = try await records.creditLedger.book(
            Sample.booking(1, "before", of: "another"), now: Sample.now)
        }
      }
      try await expectNothing(in: store, besides: stored)
    },
    Law("A refused starter pack is told once for each customer and transaction") { store in
      func add(_ kind: OutboxMessage.Kind, _ id: AccountID, _ reference: String) async throws {
        try await store.add(
          OutboxMessage(
            kind: kind, account: Account(id: id), originalTransactionID: "1", reference: reference))
      }
      try await add(.starterRefused, "buyer", "1")
      try await expectFailure(
        "StorageFailure.duplicate", of: { try await add(.starterRefused, "buyer", "1") }
      ) { failure in
        if case .duplicate = failure { true } else { false }
      }
      try await add(.starterRefused, "another", "1")
      try await add(.starterRefused, "buyer", "2")
      try await add(.consumption, "buyer", "1")
      try await add(.consumption, "buyer", "1")
      try expect("the number of messages", try await store.unsentCount(), is: 5)
    },
    Law("A unit of work sees the credits that it wrote") { store in
      try await store.write { records in
        _ = try await records.creditNotifications.record(Sample.notification("uuid"))
        let row = try unwrap(
          "the inserted transaction",
          try await records.creditTransactions.insert(Sample.transaction(), now: Sample.now))
        _ = try await records.starterClaims.mark(
          identity: "ann", userID: "buyer", transactionID: "1", now: Sample.now)
        _ = try await records.creditLedger.book(
          Sample.booking(60, "event", environment: .production), now: Sample.now)
        try expect(
          "the notification", try await records.creditNotifications.find(uuid: "uuid"),
          is: Sample.notification("uuid"))
        try expect(
          "the transaction",
          try await records.creditTransactions.find(
            transactionID: row.purchase.transactionID, environment: .production), is: row)
        try expect(
          "the mark",
          try await records.starterClaims.find(identity: "ann")?.hasPurchasedStarterPack,
          is: true)
        try expect("the balance", try await records.creditLedger.balance(of: "buyer"), is: 60)
        try expect(
          "the entry",
          try await records.creditLedger.entry(eventID: "event", environment: .production)?
            .balanceAfter, is: 60)
      }
    },
  ]

  private static func writeAll(
    in records: UnitOfWork, changing stored: CreditTransaction
  ) async throws {
    _ = try await records.creditNotifications.record(Sample.notification("uuid"))
    _ = try await records.creditTransactions.insert(Sample.transaction("2"), now: Sample.now)
    var changed = stored
    changed.status = .revokedPending
    try await records.creditTransactions.update(changed, now: Sample.now)
    _ = try await records.starterClaims.mark(
      identity: "ann", userID: "buyer", transactionID: "2", now: Sample.now)
    _ = try await records.creditLedger.book(Sample.booking(60, "event"), now: Sample.now)
    _ = try await records.creditLedger.book(Sample.booking(-30, "spending"), now: Sample.now)
  }

  private static func expectNothing(
    in store: any PurchaseStore, besides stored: CreditTransaction
  ) async throws {
    try expect("no notification", try await store.creditNotification("uuid") == nil)
    try expect("no transaction", try await store.creditTransaction("2") == nil)
    try expect("the transaction", try await store.creditTransaction("1"), is: stored)
    try expect("no claim", try await store.claim("ann") == nil)
    try expect("no entry", try await store.entry("event") == nil)
    try expect("the balance", try await store.balance(), is: 40)
    try expect("the number of entries", try await store.count(), is: 1)
  }
}
