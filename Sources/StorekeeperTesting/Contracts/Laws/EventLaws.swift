internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum EventLaws {
  /// The laws of the events for the host.
  static let all: [StoreLaw] = [
    Law("An event is read as it was written, once it has a position") { store in
      let events = [
        EventRecord(
          id: "evt_1", type: "membership.linked", account: AccountID(stored: "日本 a"),
          date: Sample.later(0.125),
          data: #"{"é":"'\\ ","n":1}"#),
        EventRecord(
          id: "evt_2", type: "host.event", account: nil, date: Sample.later(1),
          data: "{\"long\":\"" + String(repeating: "x", count: 60_000) + "\"}"),
      ]
      try await add(store, events)
      try expect("no event without a position", try await read(store).isEmpty)
      try expect("new ones", try await hasNew(store))
      try expect("ordered", try await order(store), is: 2)
      try expect("no new ones", try await hasNew(store), is: false)
      let read = try await read(store)
      try expect("the positions", read.map(\.position), is: [1, 2])
      try expect("the events", read.map(\.event), is: events)
      let second = try await store.read { try await $0.events.event(at: 2) }
      try expect("the event at a position", second?.event, is: events[1])
      try expect("none beyond", try await store.read { try await $0.events.event(at: 3) } == nil)
    },
    Law("An event whose identifier is stored is not added again, whoever adds it at the same time")
    {
      store in
      try await concurrently(6) { _ in try await add(store, [event("evt_1"), event("evt_2")]) }
      try expect("each once", try await order(store), is: 2)
      try await add(store, [event("evt_1")])
      try expect("none again", try await order(store), is: 0)
      try expect(
        "the events", try await read(store).map(\.event.id).sorted(), is: ["evt_1", "evt_2"])
    },
    Law("An event of a unit of work that threw never appears") { store in
      try await store.writeUndone { try await $0.events.add(event("evt_1")) }
      try expect("new ones", try await hasNew(store), is: false)
      try expect("ordered", try await order(store), is: 0)
    },
    Law(
      "The newest events of an account are found, the newest first, with those that have no position yet"
    ) { store in
      for (number, account) in [(1, "ann"), (2, "日 b"), (3, "ann")] {
        var told = event("evt_\(number)")
        told.account = AccountID(stored: account)
        try await add(store, [told])
      }
      _ = try await order(store)
      var late = event("evt_4")
      late.account = "ann"
      try await add(store, [late])
      let newest: @Sendable (AccountID?, Int) async throws -> [String] = { account, limit in
        try await store.read { try await $0.events.newest(of: account, limit: limit) }.map(\.id)
      }
      try expect("all", try await newest("ann", 9), is: ["evt_4", "evt_3", "evt_1"])
      try expect("two", try await newest("ann", 2), is: ["evt_4", "evt_3"])
      try expect("of another", try await newest(AccountID(stored: "日 b"), 9), is: ["evt_2"])
      try expect("of all", try await newest(nil, 3), is: ["evt_4", "evt_3", "evt_2"])
      try expect("in another case", try await newest("Ann", 9), is: [])
    },
    Law("Positions rise by one in the order of writing, and are never given twice") { store in
      for number in 1...5 { try await add(store, [event("evt_\(number)")]) }
      try expect("the first two", try await order(store, limit: 2), is: 2)
      try expect("the last position", try await last(store), is: 2)
      try expect("the others", try await order(store), is: 3)
      let page = try await read(store, after: 2, limit: 2)
      try expect("a page", page.map(\.position), is: [3, 4])
      try expect("its events", page.map(\.event.id), is: ["evt_3", "evt_4"])
      let removed = try await store.write {
        try await $0.events.removeEvents(before: Sample.days(1), limit: 100)
      }
      try expect("all are removed", removed, is: 5)
      try await add(store, [event("evt_6")])
      _ = try await order(store)
      try expect("the next position", try await read(store).map(\.position), is: [6])
      try expect("the last position", try await last(store), is: 6)
    },
    Law("An event whose unit of work ends late is not passed over by who read a later one") {
      store in
      let (written, read) = (ContractGate(), ContractGate())
      async let late: Void = store.write { unit in
        try await unit.events.add(event("evt_late"))
        written.open()
        await read.wait(atMost: .seconds(2))
      }
      await written.wait()
      async let early: Void = add(store, [event("evt_early")])
      try await early
      _ = try await order(store)
      var seen = try await EventLaws.read(store)
      let place = seen.last?.position ?? 0
      read.open()
      try await late
      _ = try await order(store)
      seen += try await EventLaws.read(store, after: place)
      try expect("both, once", seen.map(\.event.id).sorted(), is: ["evt_early", "evt_late"])
    },
    Law("Readers see each event of many writers once, and those of each writer in their order") {
      store in
      let (writers, rounds) = (8, 12)
      let isOver = Locked(false)
      async let seen = follow(store) { isOver.withLock { $0 } }
      try await concurrently(writers) { writer in
        for round in 0..<rounds {
          try await store.write { unit in
            try await unit.events.add(event("w\(writer)-\(round)"))
            // Units of work are open for different times, and end in another order than they began.
            for _ in 0..<(writer * 20) { await Task.yield() }
          }
        }
      }
      isOver.withLock { $0 = true }
      let ids = try await seen
      try expect("each once", Set(ids).count, is: writers * rounds)
      try expect("none twice", ids.count, is: writers * rounds)
      for writer in 0..<writers {
        let own = ids.filter { $0.hasPrefix("w\(writer)-") }
        try expect("in order", own, is: (0..<rounds).map { "w\(writer)-\($0)" })
      }
    },
    Law("A reader begins at the end of the log, and its place is kept") { store in
      try await add(store, [event("evt_1"), event("evt_2")])
      _ = try await order(store)
      try expect("none at first", try await reader(store, "billing") == nil)
      var held = try await store.write { try await $0.events.hold("billing") }
      try expect("the new one", held, is: EventReader(name: "billing", position: 2))
      held.position = 7
      held.disabledDate = Sample.later(0.5)
      held.resumeDate = Sample.later(60)
      let changed = held
      try await store.write { unit in
        _ = try await unit.events.hold("billing")
        try await unit.events.save(changed)
      }
      try expect("the stored one", try await reader(store, "billing"), is: changed)
      let again = try await store.write { try await $0.events.hold("billing") }
      try expect("the held one", again, is: changed)
      try expect("no other one", try await reader(store, "Billing") == nil)
      try expect("the end of the log stays", try await last(store), is: 2)
    },
    Law("A reader that was removed is new when it is held again") { store in
      for name in ["billing", "other"] {
        try await store.write { unit in
          var reader = try await unit.events.hold(name)
          reader.disabledDate = Sample.later(0.5)
          try await unit.events.save(reader)
        }
      }
      for _ in 0..<2 { try await store.write { try await $0.events.removeReader("billing") } }
      try expect("none left", try await reader(store, "billing") == nil)
      try expect("the other one stays", try await reader(store, "other") != nil)
      try await add(store, [event("evt_1")])
      _ = try await order(store)
      // The log itself is no reader, and its positions go on, whatever it is called in the store.
      try await store.write { try await $0.events.removeReader("#log") }
      let held = try await store.write { try await $0.events.hold("billing") }
      try expect("the new one", held, is: EventReader(name: "billing", position: 1))
    },
    Law("A reader is held by one unit of work at a time") { store in
      try await concurrently(8) { _ in
        try await store.write { unit in
          var reader = try await unit.events.hold("billing")
          reader.position += 1
          try await unit.events.save(reader)
        }
      }
      try expect("each step counts", try await reader(store, "billing")?.position, is: 8)
    },
    Law("Old events are removed, the oldest first, up to the limit, and new ones stay") { store in
      for (number, age) in [(1, 0.0), (2, 10), (3, 20)] {
        try await add(store, [event("evt_\(number)", at: Sample.later(age))])
      }
      _ = try await order(store)
      try await add(store, [event("evt_4")])
      try expect("the first", try await remove(store, before: Sample.later(15), limit: 1), is: 1)
      try expect("the left", try await read(store).map(\.event.id), is: ["evt_2", "evt_3"])
      try expect("the second", try await remove(store, before: Sample.later(15), limit: 9), is: 1)
      try expect("no other", try await remove(store, before: Sample.later(15), limit: 9), is: 0)
      try expect("what has no position stays", try await order(store), is: 1)
    },
  ]

  private static func event(_ id: String, at date: Date = Sample.now) -> EventRecord {
    EventRecord(id: id, type: "host.event", account: "member", date: date, data: "{}")
  }

  private static func add(_ store: any PurchaseStore, _ events: [EventRecord]) async throws {
    try await store.write { unit in
      for event in events { try await unit.events.add(event) }
    }
  }

  private static func hasNew(_ store: any PurchaseStore) async throws -> Bool {
    try await store.read { try await $0.events.hasNew() }
  }

  private static func order(_ store: any PurchaseStore, limit: Int = 100) async throws -> Int {
    try await store.write { try await $0.events.order(limit: limit) }
  }

  private static func last(_ store: any PurchaseStore) async throws -> Int {
    try await store.read { try await $0.events.lastPosition() }
  }

  private static func read(
    _ store: any PurchaseStore, after position: Int = 0, limit: Int = 1000
  ) async throws -> [OrderedEvent] {
    try await store.read { try await $0.events.events(after: position, limit: limit) }
  }

  private static func reader(
    _ store: any PurchaseStore, _ name: String
  ) async throws -> EventReader? {
    try await store.read { try await $0.events.reader(name) }
  }

  private static func remove(
    _ store: any PurchaseStore, before: Date, limit: Int
  ) async throws -> Int {
    try await store.write { try await $0.events.removeEvents(before: before, limit: limit) }
  }

  /// Reads from place to place until the writers are done and nothing is left; the identifiers in their order.
  private static func follow(
    _ store: any PurchaseStore, until isOver: @Sendable () -> Bool
  ) async throws -> [String] {
    var (place, seen) = (0, [String]())
    while true {
      let isLast = isOver()
      _ = try await order(store, limit: 7)
      let page = try await read(store, after: place, limit: 5)
      if let last = page.last { place = last.position }
      seen += page.map(\.event.id)
      if isLast, page.isEmpty, try await !hasNew(store) { return seen }
      await Task.yield()
    }
  }
}
