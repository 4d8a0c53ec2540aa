internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

/// The laws of what is delivered in the order of each account.
enum LineLaws {
  private static let line = OutboxMessage.Kind.webhook("billing")

  static let all: [StoreLaw] = [
    Law("A message of a line is leased with its line only") { store in
      try await add(store, "1", of: "ann")
      try await store.add(try Sample.message("1001"))
      try await add(store, "2", of: "ann", in: .webhook("audit"))
      let others = try await store.write {
        try await $0.outbox.lease(
          limit: 9, now: Sample.now, until: Sample.later(60), token: "mails")
      }
      try expect("the others", others.map(\.message.originalTransactionID), is: ["1001"])
      try expect("the line", try await lease(store, "one").map(id), is: ["1"])
      try expect(
        "the other line", try await lease(store, "one", .webhook("audit")).map(id), is: ["2"])
    },
    Law("A message has its body as it was written, for whoever leases it or finds it parked") {
      store in
      let body = "{ \"é\": \"" + String(repeating: "x", count: 100_000) + "\" }\r\n"
      for (number, text) in [("1", body), ("2", nil)] {
        var message = message(number, of: nil, in: line)
        message.body = text
        let added = message
        try await store.write { try await $0.outbox.add(added, now: Sample.now) }
      }
      let leases = try await lease(store, "one")
      try expect("the bodies", leases.map(\.message.body), is: [body, nil])
      try await store.write {
        _ = try await $0.outbox.park(
          leases[0], reason: ParkingReason(.attemptsExhausted), now: Sample.now)
      }
      let parked = try await store.read { try await $0.outbox.parked(after: 0, limit: 9) }
      try expect("a parked one", parked.map(\.message.body), is: [body])
    },
    Law("Of a line all that is not sent is discarded, or what was parked before a moment") {
      store in
      for number in 1...5 { try await add(store, "\(number)", of: nil) }
      try await add(store, "6", of: nil, in: .webhook("audit"))
      try await store.add(try Sample.message("1001"))
      let leases = try await lease(store, "one", limit: 3)
      try await store.write { unit in
        let reason = ParkingReason(.attemptsExhausted)
        _ = try await unit.outbox.markSent(leases[0], now: Sample.now)
        _ = try await unit.outbox.park(leases[1], reason: reason, now: Sample.now)
        _ = try await unit.outbox.park(leases[2], reason: reason, now: Sample.later(9))
      }
      func discard(_ date: Date?, _ limit: Int) async throws -> Int {
        try await store.write {
          try await $0.outbox.discard(line: line, parkedBefore: date, limit: limit)
        }
      }
      try expect("none before", try await discard(Sample.now, 9), is: 0)
      try expect("the first parked one", try await discard(Sample.later(1), 9), is: 1)
      try expect("no more than the limit", try await discard(nil, 1), is: 1)
      try expect("the rest", try await discard(nil, 9), is: 2)
      try expect("none", try await discard(nil, 9), is: 0)
      try expect("those of others", try await store.unsentCount(), is: 2)
    },
    Law("An account of a line waits while one of its messages is leased or failed; others do not") {
      store in
      for (number, account) in [("1", "ann"), ("2", "ben"), ("3", "ann"), ("4", nil), ("5", nil)] {
        try await add(store, number, of: account)
      }
      let first = try await lease(store, "one", limit: 1)
      try expect("the first", first.map(id), is: ["1"])
      let second = try await lease(store, "two")
      try expect("those of others", second.map(id), is: ["2", "4", "5"])
      try await store.write { unit in
        _ = try await unit.outbox.markFailed(first[0], nextTry: Sample.later(60))
        _ = try await unit.outbox.markFailed(second[1], nextTry: Sample.later(60))
      }
      try await add(store, "6", of: nil)
      try expect("who has none waits for none", try await lease(store, "three").map(id), is: ["6"])
      let again = try await lease(store, "four", at: Sample.later(61))
      try expect("after the pause, in order", again.map(id), is: ["1", "3", "4"])
      try expect("the failures", again.map(\.failures), is: [1, 0, 1])
    },
    Law("An account of a line goes on after a message was sent, parked or given back") { store in
      for number in ["1", "2", "3"] { try await add(store, number, of: "ann") }
      let first = try await lease(store, "one", limit: 1)
      try await store.write { _ = try await $0.outbox.markSent(first[0], now: Sample.now) }
      let second = try await lease(store, "two", limit: 1)
      try expect("after it was sent", second.map(id), is: ["2"])
      try await store.write { try await $0.outbox.giveBack(second[0]) }
      let again = try await lease(store, "three", limit: 1)
      try expect("after it was given back", again.map(id), is: ["2"])
      try await store.write {
        _ = try await $0.outbox.park(
          again[0], reason: ParkingReason(.attemptsExhausted), now: Sample.now)
      }
      try expect("after it was parked", try await lease(store, "four").map(id), is: ["3"])
    },
    Law("The messages that wait in a line are counted up to a limit, parked ones left out") {
      store in
      for number in ["1", "2", "3"] { try await add(store, number, of: "ann") }
      try await add(store, "4", of: "ann", in: .webhook("audit"))
      let leases = try await lease(store, "one", limit: 2)
      try expect("all of the line", try await count(store, 9), is: 3)
      try expect("up to the limit", try await count(store, 2), is: 2)
      try await store.write { unit in
        _ = try await unit.outbox.markSent(leases[0], now: Sample.now)
        _ = try await unit.outbox.park(
          leases[1], reason: ParkingReason(.eventRemoved), now: Sample.now)
      }
      try expect("what is left", try await count(store, 9), is: 1)
    },
    Law(
      "Messages of a line in back-off are free at once when they are hastened, few failures first"
    ) {
      store in
      for (number, account) in [("1", "ann"), ("2", "ben"), ("3", "cid")] {
        try await add(store, number, of: account)
      }
      let leases = try await lease(store, "one")
      try await store.write { unit in
        for lease in leases { _ = try await unit.outbox.markFailed(lease, nextTry: Sample.now) }
      }
      let again = try await lease(store, "two", limit: 1)
      try await store.write { unit in
        _ = try await unit.outbox.markFailed(again[0], nextTry: Sample.later(900))
      }
      let others = try await lease(store, "three")
      try expect("those without a pause", others.map(id), is: ["2", "3"])
      try await store.write { unit in
        _ = try await unit.outbox.postpone(others[0], until: Sample.later(900))
      }
      try expect("none is due", try await isDue(store), is: false)
      try expect("due later", try await isDue(store, at: Sample.later(900)))
      try expect("one", try await hasten(store, 1), is: 1)
      try expect("due", try await isDue(store))
      let first = try await lease(store, "four")
      try expect("that with fewer failures", first.map(id), is: ["2"])
      try expect("the rest, but for what is leased", try await hasten(store, 9), is: 1)
      let last = try await lease(store, "five")
      try expect("its failures stay", last.map(\.failures), is: [2])
      try expect("and its next try", last.map(\.nextTry), is: [Sample.later(900)])
      try expect("none is left", try await hasten(store, 9), is: 0)
      try await store.write { try await $0.outbox.giveBack(last[0]) }
      let given = try await lease(store, "six")
      try expect("free again when it was given back", given.map(id), is: ["1"])
      try expect("not while it is leased", try await lease(store, "seven").map(id), is: [])
      let ended = try await lease(store, "eight", at: Sample.later(600))
      try expect("and when the lease has ended", ended.map(id), is: ["1", "2", "3"])
      try await store.write { unit in
        for lease in ended.prefix(2) {
          _ = try await unit.outbox.postpone(lease, until: lease.nextTry ?? Sample.now)
        }
        _ = try await unit.outbox.markSent(ended[2], now: Sample.now)
      }
      try expect("not after it was tried", try await isDue(store, at: Sample.later(899)), is: false)
      try expect("but at its next try", try await isDue(store, at: Sample.later(900)))
    },
    Law("8 workers of a line never overtake, and together get all") { store in
      try await store.write { unit in
        for number in 1...60 {
          try await unit.outbox.add(
            message("\(number)", of: "account-\(number % 7)", in: line), now: Sample.now)
        }
      }
      let sent = Locked<[[String]]>([])
      try await concurrently(8) { worker in
        while try await count(store, 1) > 0 {
          let leases = try await lease(store, "worker-\(worker)", limit: 3)
          for lease in leases {
            // Noted before it is marked, so that whoever may take the next one comes later.
            sent.withLock { $0.append([lease.message.account?.id.rawValue ?? "", id(lease)]) }
            try await store.write { _ = try await $0.outbox.markSent(lease, now: Sample.now) }
          }
          if leases.isEmpty { await Task.yield() }
        }
      }
      let all = sent.withLock { $0 }
      try expect("each once", Set(all.map { $0[1] }).count, is: 60)
      for account in 0..<7 {
        let own = all.filter { $0[0] == "account-\(account)" }.compactMap { Int($0[1]) }
        try expect("in order", own, is: own.sorted())
      }
    },
  ]

  private static func message(
    _ number: String, of account: String?, in line: OutboxMessage.Kind
  ) -> OutboxMessage {
    OutboxMessage(
      kind: line, account: account.map { Account(id: AccountID(stored: $0)) },
      originalTransactionID: number, reference: "evt_\(number)")
  }

  private static func add(
    _ store: any PurchaseStore, _ number: String, of account: String?,
    in line: OutboxMessage.Kind = line
  ) async throws {
    try await store.write {
      try await $0.outbox.add(message(number, of: account, in: line), now: Sample.now)
    }
  }

  private static func lease(
    _ store: any PurchaseStore, _ token: String, _ line: OutboxMessage.Kind = line,
    at now: Date = Sample.now, limit: Int = 50
  ) async throws -> [OutboxLease] {
    try await store.write { unit in
      _ = try await unit.events.hold(line.rawValue)
      return try await unit.outbox.lease(
        line: line, limit: limit, now: now, until: now.addingTimeInterval(600), token: token)
    }
  }

  private static func isDue(
    _ store: any PurchaseStore, at now: Date = Sample.now
  ) async throws -> Bool {
    try await store.read { try await $0.outbox.isDue(inLine: line, now: now) }
  }

  private static func hasten(_ store: any PurchaseStore, _ limit: Int) async throws -> Int {
    try await store.write {
      try await $0.outbox.hasten(line: line, limit: limit, now: Sample.now)
    }
  }

  private static func count(_ store: any PurchaseStore, _ limit: Int) async throws -> Int {
    try await store.read { try await $0.outbox.waiting(inLine: line, limit: limit) }
  }

  private static func id(_ lease: OutboxLease) -> String { lease.message.originalTransactionID }
}
