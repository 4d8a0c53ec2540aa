internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum OutboxLaws {
  static let all: [StoreLaw] = [
    Law("A message is delivered as it was written") { store in
      let messages = [
        OutboxMessage(
          kind: .unlink, account: try Sample.account("member", secondID: "union"),
          originalTransactionID: "1001", tier: .premium, expireDate: Sample.today,
          isAlreadyExpired: true),
        OutboxMessage(
          kind: .sync, account: try Sample.account(nil, secondID: "union"),
          originalTransactionID: "1002", tier: nil, expireDate: nil, isAlreadyExpired: false),
        OutboxMessage(
          kind: OutboxMessage.Kind(rawValue: "host.event"), account: try Sample.account("member"),
          originalTransactionID: "1003", tier: .standard, expireDate: nil,
          isAlreadyExpired: false),
        OutboxMessage(
          kind: .consumption, originalTransactionID: "1004", reference: "v2:é'key",
          deadline: Sample.later(43_200.125)),
        OutboxMessage(
          kind: .consumption, account: try Sample.account("member"),
          originalTransactionID: "1005", reference: String(repeating: "r", count: 255)),
      ]
      for message in messages { try await store.add(message, now: Sample.later(5)) }
      let leases = try await lease(store, "worker")
      try expect("the messages", leases.map(\.message), is: messages)
      try expect("the date", leases.first?.createdDate, is: Sample.later(5))
      try expect("the failures", leases.map(\.failures), is: [0, 0, 0, 0, 0])
    },
    Law("Messages are delivered oldest first, with rising numbers, up to the limit") { store in
      for id in ["1001", "1002", "1003"] { try await store.add(try Sample.message(id)) }
      let first = try await lease(store, "one", limit: 2)
      try expect("the first", first.map(\.message.originalTransactionID), is: ["1001", "1002"])
      let rest = try await lease(store, "two", limit: 2)
      try expect("the rest", rest.map(\.message.originalTransactionID), is: ["1003"])
      let numbers = (first + rest).map(\.number)
      try expect("rising numbers", numbers.sorted(), is: numbers)
      try expect("different numbers", Set(numbers).count, is: 3)
    },
    Law("A message of a unit of work that threw never appears") { store in
      try await store.writeUndone {
        try await $0.outbox.add(try Sample.message(), now: Sample.now)
      }
      try expect("unsent messages", try await store.unsentCount(), is: 0)
      try expect("no lease", try await lease(store, "worker").isEmpty)
    },
    Law("A message with a live lease is given to no other worker, an ended lease is free") {
      store in
      try await store.add(try Sample.message())
      try expect("the first worker's", try await lease(store, "one").count, is: 1)
      try expect(
        "the second worker's", try await lease(store, "two", at: Sample.later(599)).count, is: 0)
      try expect(
        "the third worker's, when the lease has ended",
        try await lease(store, "three", at: Sample.later(601)).count, is: 1)
    },
    Law("8 workers that deliver at once never get the same message, and together get all") {
      store in
      try await store.write { records in
        for number in 0..<60 {
          try await records.outbox.add(try Sample.message("\(1000 + number)"), now: Sample.now)
        }
      }
      try await expectApart { worker in
        try await lease(store, "worker-\(worker)", limit: 4).map(\.number)
      }
    },
    Law("A sent message is never given again, and is not counted") { store in
      try await store.add(try Sample.message("1001"))
      try await store.add(try Sample.message("1002"))
      let leases = try await lease(store, "one", limit: 1)
      try expect("marked as sent", try await markSent(store, leases), is: [true])
      try expect("marked again", try await markSent(store, leases), is: [false])
      try expect("unsent messages", try await store.unsentCount(), is: 1)
      let rest = try await lease(store, "two", at: Sample.days(1))
      try expect("the rest", rest.map(\.message.originalTransactionID), is: ["1002"])
    },
    Law("A failed message is given again when its next try is reached, one failure on") { store in
      try await store.add(try Sample.message())
      let leases = try await lease(store, "one")
      try expect(
        "marked", try await markFailed(store, leases, nextTry: Sample.later(300)), is: [true])
      try expect("too early", try await lease(store, "two", at: Sample.later(299)).count, is: 0)
      let again = try await lease(store, "two", at: Sample.later(300))
      try expect("the failures", again.map(\.failures), is: [1])
      try expect("the number", again.map(\.number), is: leases.map(\.number))
    },
    Law("A message that was given back is free at once, and did not fail") { store in
      try await store.add(try Sample.message("1001"))
      try await store.add(try Sample.message("1002"))
      let leases = try await lease(store, "one", limit: 1)
      try await giveBack(store, leases)
      let again = try await lease(store, "two")
      try expect("the messages", again.map(\.message.originalTransactionID), is: ["1001", "1002"])
      try expect("the failures", again.map(\.failures), is: [0, 0])
    },
    Law("A lease that was lost is not given back") { store in
      try await store.add(try Sample.message())
      let lost = try await lease(store, "one")
      _ = try await lease(store, "two", at: Sample.later(601))
      try await giveBack(store, lost)
      try expect(
        "the third worker's", try await lease(store, "three", at: Sample.later(602)).count, is: 0)
    },
    Law(
      "Messages that were sent before a moment are removed, the first sent first, up to the limit"
    ) { store in
      for id in ["1001", "1002", "1003", "1004"] { try await store.add(try Sample.message(id)) }
      let leases = try await lease(store, "worker", limit: 3)
      let dates = [Sample.later(30), Sample.later(20), Sample.later(40)]
      try await store.write { records in
        for (lease, date) in zip(leases, dates) {
          _ = try await records.outbox.markSent(lease, now: date)
        }
      }
      for (before, limit, count) in [
        (Sample.later(20), 10, 0), (Sample.later(40), 0, 0), (Sample.later(40), 1, 1),
        (Sample.later(30), 10, 0), (Sample.later(30.5), 10, 1), (Sample.later(99), 10, 1),
      ] {
        try expect(
          "how many are removed", try await removeSent(store, before: before, limit: limit),
          is: count)
      }
      try expect("unsent messages", try await store.unsentCount(), is: 1)
      try await store.add(try Sample.message("1005"))
      let rest = try await lease(store, "other", at: Sample.days(1))
      try expect("the rest", rest.map(\.message.originalTransactionID), is: ["1004", "1005"])
      try expect("a number of its own", rest.last.map(\.number) ?? 0 > leases.last?.number ?? .max)
    },
    Law("A message of a kind that is left out stays, and hides no other") { store in
      for id in ["1001", "1002", "1003"] { try await store.add(try Sample.message(id)) }
      let event = OutboxMessage(
        kind: .sync, account: nil, originalTransactionID: "1004", tier: nil, expireDate: nil,
        isAlreadyExpired: false)
      try await store.add(event)
      let kind = try Sample.message().kind
      let strange = ["it's", "\"a\", b]"].map { OutboxMessage.Kind(rawValue: $0) }
      for kinds in [[kind], Set([kind] + strange)] {
        let leases = try await store.write {
          try await $0.outbox.lease(
            limit: 2, except: kinds, now: Sample.now, until: Sample.later(5), token: "events")
        }
        try expect("the event alone", leases.map(\.message), is: [event])
        try await giveBack(store, leases)
      }
      let rest = try await lease(store, "all")
      try expect(
        "all messages", rest.map(\.message.originalTransactionID),
        is: ["1001", "1002", "1003", "1004"])
      try expect("the failures", rest.map(\.failures), is: [0, 0, 0, 0])
    },
    Law("A postponed message is given again when its time has come, without a failure") { store in
      try await store.add(try Sample.message())
      let leases = try await lease(store, "one")
      try expect(
        "postponed",
        try await store.write { records in
          try await records.outbox.postpone(leases[0], until: Sample.later(300))
        })
      try expect("too early", try await lease(store, "two", at: Sample.later(299)).count, is: 0)
      let again = try await lease(store, "two", at: Sample.later(300))
      try expect("the failures", again.map(\.failures), is: [0])
      try expect("the number", again.map(\.number), is: leases.map(\.number))
    },
    Law("A parked message is given to nobody until it is sent again, and is shown with its reason")
    { store in
      for id in ["1001", "1002", "1003"] { try await store.add(try Sample.message(id)) }
      let failed = try await lease(store, "one")
      try expect(
        "failed", try await markFailed(store, failed, nextTry: Sample.later(20)),
        is: [true, true, true])
      let leases = try await lease(store, "two", at: Sample.later(20))
      let reasons = [
        ParkingReason(.recipientRefused, detail: "550 5.1.1"), ParkingReason(.addressMissing),
      ]
      try expect(
        "parked", try await park(store, Array(zip(leases, reasons)), at: Sample.later(30)),
        is: [true, true])
      try await giveBack(store, [leases[2]])
      try expect(
        "parked again by the same lease",
        try await park(store, [(leases[0], reasons[1])], at: Sample.later(31)), is: [false])
      let parked = try await store.read { try await $0.outbox.parked(after: 0, limit: 10) }
      try expect(
        "what is shown",
        parked
          == zip(leases, reasons).map { lease, reason in
            ParkedMessage(
              number: lease.number, message: lease.message, createdDate: lease.createdDate,
              failures: 1, reason: reason, parkedDate: Sample.later(30))
          })
      let pages = try await store.read { records in
        [
          try await records.outbox.parked(after: 0, limit: 1).map(\.number),
          try await records.outbox.parked(after: leases[0].number, limit: 10).map(\.number),
          try await records.outbox.parked(after: leases[1].number, limit: 10).map(\.number),
          try await records.outbox.parked(after: 0, limit: 0).map(\.number),
        ]
      }
      try expect("pages", pages, is: [[leases[0].number], [leases[1].number], [], []])
      let rest = try await lease(store, "three", at: Sample.days(9))
      try expect("the rest", rest.map(\.number), is: [leases[2].number])
      try expect(
        "sent again", try await sendAgain(store, leases.map(\.number) + [.max]),
        is: [true, true, false, false])
      let again = try await lease(store, "four", at: Sample.later(40))
      try expect("free again", again.map(\.number), is: leases.prefix(2).map(\.number))
      try expect("the failures", again.map(\.failures), is: [0, 0])
      try expect(
        "parked", try await park(store, [(again[0], reasons[0])], at: Sample.later(50)),
        is: [true])
      for (number, isThere) in [
        (again[1].number, false), (again[0].number, true), (again[0].number, false),
      ] {
        try expect(
          "discarded", try await store.write { try await $0.outbox.discard(number) }, is: isThere)
      }
      try expect("nothing is parked", try await sendAgain(store, [leases[0].number]), is: [false])
    },
    Law("The newest messages to an account are found, the newest first, with what became of them") {
      store in
      for account in ["ann", "ben", "ann", "ann"] {
        try await store.add(try Sample.message(to: account))
        var event = try Sample.message(to: account)
        event.kind = .webhook("billing")
        try await store.add(event)
      }
      let leases = try await lease(store, "one", limit: 4)
      _ = try await markSent(store, [leases[0]])
      _ = try await park(store, [(leases[2], ParkingReason(.addressMissing))], at: Sample.later(9))
      let newest: @Sendable (AccountID, Int) async throws -> [KeptMessage] = { account, limit in
        try await store.read { try await $0.outbox.newest(to: account, limit: limit) }
      }
      let messages = try await newest("ann", 9)
      try expect(
        "the messages", messages.map(\.number), is: [3, 2, 0].map { leases[$0].number })
      try expect("when sent", messages.map(\.sentDate), is: [nil, nil, Sample.later(20)])
      try expect("when parked", messages.map(\.parkedDate), is: [nil, Sample.later(9), nil])
      try expect("what", messages.map(\.message.account?.primaryID), is: ["ann", "ann", "ann"])
      try expect("two", try await newest("ann", 2).count, is: 2)
      try expect("to another", try await newest("ben", 9).map(\.number), is: [leases[1].number])
    },
    Law("The backlog is what waits or is leased, with the date of the oldest, and what is parked") {
      store in
      func backlog() async throws -> OutboxBacklog {
        try await store.read { try await $0.outbox.backlog() }
      }
      try expect("nothing", try await backlog(), is: OutboxBacklog())
      for (index, id) in ["1001", "1002", "1003", "1004"].enumerated() {
        try await store.add(try Sample.message(id), now: Sample.later(Double(index)))
      }
      let leases = try await lease(store, "one", limit: 3)
      try expect(
        "leased", try await backlog(), is: OutboxBacklog(waiting: 4, oldestDate: Sample.now))
      _ = try await markSent(store, [leases[0]])
      try expect(
        "one sent", try await backlog(), is: OutboxBacklog(waiting: 3, oldestDate: Sample.later(1)))
      _ = try await park(store, [(leases[1], ParkingReason(.addressMissing))], at: Sample.later(20))
      _ = try await markFailed(store, [leases[2]], nextTry: Sample.days(1))
      try expect(
        "one parked, one failed", try await backlog(),
        is: OutboxBacklog(waiting: 2, oldestDate: Sample.later(2), parked: 1))
      var other = try Sample.message("1005")
      let (kind, otherKind) = (other.kind, OutboxMessage.Kind(rawValue: "other"))
      other.kind = otherKind
      try await store.add(other, now: Sample.later(5))
      func oldest(except kinds: Set<OutboxMessage.Kind>) async throws -> Date? {
        try await store.read { try await $0.outbox.oldestDate(except: kinds) }
      }
      try expect("the oldest of all", try await oldest(except: []), is: Sample.later(2))
      try expect("of the others", try await oldest(except: [kind]), is: Sample.later(5))
      try expect("of none", try await oldest(except: [kind, otherKind]), is: nil)
    },
    Law("A lost lease marks no message") { store in
      try await store.add(try Sample.message())
      let lost = try await lease(store, "one")
      let ours = try await lease(store, "two", at: Sample.later(601))
      try expect("the second worker's", ours.count, is: 1)
      try expect("sent by the one who lost it", try await markSent(store, lost), is: [false])
      try expect(
        "failed by the one who lost it",
        try await markFailed(store, lost, nextTry: Sample.days(9)), is: [false])
      try expect(
        "parked by the one who lost it",
        try await park(store, [(lost[0], ParkingReason(.addressMissing))], at: Sample.later(602)),
        is: [false])
      try expect(
        "postponed by the one who lost it",
        try await store.write { try await $0.outbox.postpone(lost[0], until: Sample.days(9)) },
        is: false)
      try expect("unsent messages", try await store.unsentCount(), is: 1)
      try expect("sent by the one who has it", try await markSent(store, ours), is: [true])
      try expect("unsent messages", try await store.unsentCount(), is: 0)
    },
  ]

  private static func lease(
    _ store: any PurchaseStore, _ token: String, at now: Date = Sample.later(10),
    limit: Int = 50
  ) async throws -> [OutboxLease] {
    try await store.write {
      try await $0.outbox.lease(
        limit: limit, now: now, until: now.addingTimeInterval(590), token: token)
    }
  }

  private static func giveBack(_ store: any PurchaseStore, _ leases: [OutboxLease]) async throws {
    try await store.write { records in
      for lease in leases { try await records.outbox.giveBack(lease) }
    }
  }

  private static func removeSent(
    _ store: any PurchaseStore, before: Date, limit: Int
  ) async throws -> Int {
    try await store.write { try await $0.outbox.removeSent(before: before, limit: limit) }
  }

  private static func park(
    _ store: any PurchaseStore, _ leases: [(OutboxLease, ParkingReason)], at now: Date
  ) async throws -> [Bool] {
    try await each(store, leases) { try await $0.park($1.0, reason: $1.1, now: now) }
  }

  private static func sendAgain(
    _ store: any PurchaseStore, _ numbers: [Int]
  ) async throws -> [Bool] {
    try await each(store, numbers) { try await $0.sendAgain($1) }
  }

  private static func markSent(
    _ store: any PurchaseStore, _ leases: [OutboxLease]
  ) async throws -> [Bool] {
    try await each(store, leases) { try await $0.markSent($1, now: Sample.later(20)) }
  }

  private static func markFailed(
    _ store: any PurchaseStore, _ leases: [OutboxLease], nextTry: Date
  ) async throws -> [Bool] {
    try await each(store, leases) { try await $0.markFailed($1, nextTry: nextTry) }
  }

  /// Does one after the other, in one unit of work.
  private static func each<Item: Sendable>(
    _ store: any PurchaseStore, _ items: [Item],
    _ mark: nonisolated(nonsending) @Sendable (any OutboxRepository, Item) async throws -> Bool
  ) async throws -> [Bool] {
    try await store.write { records in
      var results: [Bool] = []
      for item in items { results.append(try await mark(records.outbox, item)) }
      return results
    }
  }
}
