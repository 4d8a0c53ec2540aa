internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum ConsumptionLaws {
  /// The laws of requests for consumption information.
  static let all: [StoreLaw] = [
    Law("A request for consumption information is stored as it is, once") { store in
      let all = [
        request("plain"),
        changed(request("full")) {
          $0.environment = .sandbox
          $0.productID = "com.example.coins"
          $0.reason = "UNINTENDED_PURCHASE"
          $0.isAdvancedCommerce = true
          $0.requestedDate = Sample.later(0.001)
          $0.state = .answered
          $0.answer = #"{"customerConsented":true,"x":"é'\\"}"#
          $0.stateDate = Sample.later(5.5)
          $0.outcome = "REFUND_DECLINED"
          $0.outcomeDate = Sample.later(6.25)
        },
        changed(request("google", of: "google:GPA.3-1..0")) {
          $0.originalTransactionID = "google:GPA.3-1..0"
          $0.reason = "7"
          $0.pendingRefundToken = "token:é'\""
        },
      ]
      for row in all { try expect("whether it is new", try await add(store, row), is: true) }
      for row in all {
        try expect("the request", try await find(store, row.key), is: row)
        let other = changed(row) { $0.reason = "OTHER" }
        try expect("whether it is new again", try await add(store, other), is: false)
        try expect("the request afterwards", try await find(store, row.key), is: row)
      }
      try expect("no other", try await find(store, "Plain"), is: nil)
    },
    Law("What is known of a request before its answer is sent is kept while it waits") { store in
      let row = request("key")
      _ = try await add(store, row)
      var prepared = changed(row) {
        $0.originalTransactionID = "google:abc"
        $0.productID = "com.example.coins"
        $0.answer = #"{"x":"é'\\"}"#
        $0.proposedAnswer = #"{"y":"é'\\"}"#
      }
      // Nothing else of the row is written.
      let other = changed(prepared) {
        $0.reason = "OTHER"
        $0.deadline = Sample.later(99)
        $0.pendingRefundToken = "other"
      }
      for (written, stored) in [(prepared, nil), (other, prepared.answer)] {
        try expect("whether it is kept", try await prepare(store, written, stored), is: true)
        try expect("the request", try await find(store, "key"), is: prepared)
      }
      let late = changed(prepared) { $0.answer = "{}" }
      for stored in [nil, "{\"x\":\"e\u{301}'\\\\\"}", "{}"] {
        try expect("whether a late one is kept", try await prepare(store, late, stored), is: false)
        try expect("the request", try await find(store, "key"), is: prepared)
      }
      let answer = prepared.answer
      prepared.answer = nil
      try expect("whether it is forgotten", try await prepare(store, prepared, answer), is: true)
      try expect("the request without the answer", try await find(store, "key"), is: prepared)
      try await settle(store, "key", .answered, "{}", Sample.later(7))
      let settled = try await find(store, "key")
      try expect("whether a settled one is kept", try await prepare(store, other, "{}"), is: false)
      try expect("the request afterwards", try await find(store, "key"), is: settled)
      try expect(
        "whether an unknown one is kept", try await prepare(store, request("unknown"), nil),
        is: false)
      try expect("no request", try await find(store, "unknown"), is: nil)
    },
    Law("A request that waits is settled once") { store in
      for state in ConsumptionCase.State.allCases where state != .waiting {
        let row = request(state.rawValue)
        _ = try await add(store, row)
        let answer = state == .missed ? nil : "{}"
        try await settle(store, row.key, state, answer, Sample.later(7.125))
        let expected = changed(row) {
          $0.state = state
          $0.answer = answer
          $0.stateDate = Sample.later(7.125)
        }
        try expect("the request", try await find(store, row.key), is: expected)
        let another: ConsumptionCase.State = state == .answered ? .refused : .answered
        try await settle(store, row.key, another, "[]", Sample.later(9))
        try expect("the request afterwards", try await find(store, row.key), is: expected)
      }
      try await settle(store, "unknown", .answered, "{}", Sample.now)
      try expect("no request", try await find(store, "unknown"), is: nil)
    },
    Law("An outcome belongs to the newest request of its transaction that has none") { store in
      let rows = [
        request("b", at: 10), request("a", at: 10), request("c", at: 20),
        request("later", at: 40.001), request("other", of: "2000000000000002", at: 30),
        changed(request("sandbox", at: 30)) { $0.environment = .sandbox },
      ]
      for row in rows { _ = try await add(store, row) }
      for (outcome, date, key) in [
        ("REFUND", 40.0, "c"), ("REFUND_DECLINED", 50, "later"), ("REFUND", 10, "b"),
        ("REFUND_REVERSED", 9, nil), ("REFUND_REVERSED", 11, "a"), ("REFUND", 99, nil),
      ] as [(String, Double, String?)] {
        let before = try await cases(store)
        let isNoted = try await note(store, outcome, Sample.later(date))
        try expect("whether it is noted", isNoted, is: key != nil)
        let expected = before.map { row in
          changed(row) {
            guard $0.key == key else { return }
            $0.outcome = outcome
            $0.outcomeDate = Sample.later(date)
          }
        }
        try expect("the requests", try await cases(store), is: expected)
      }
      for key in ["other", "sandbox"] {
        try expect("no outcome", try await find(store, key)?.outcome, is: nil)
      }
    },
    Law("The requests of a transaction come in the order in which they were made") { store in
      let rows = [
        request("c", at: 5), request("b", at: 7), request("é", at: 7), request("a", at: 9),
      ]
      for row in rows.reversed() { _ = try await add(store, row) }
      _ = try await add(store, request("other", of: "2000000000000002"))
      _ = try await add(store, changed(request("sandbox")) { $0.environment = .sandbox })
      try expect("the requests", try await cases(store), is: rows)
    },
    Law("The requests that wait are listed, those first whose time ends first") { store in
      func row(_ key: String, until seconds: Double) -> ConsumptionCase {
        changed(request(key)) { $0.deadline = Sample.later(seconds) }
      }
      let rows = [row("c", until: 5), row("Z", until: 7.001), row("a", until: 7.001)]
      for row in rows.reversed() { _ = try await add(store, row) }
      _ = try await add(store, changed(row("answered", until: 6)) { $0.state = .answered })
      try expect("all", try await waiting(store, at: 0), is: rows)
      try expect("the first", try await waiting(store, at: 0, limit: 1), is: [rows[0]])
      try expect("none", try await waiting(store, at: 0, limit: 0), is: [])
      try expect("none that is late", try await waiting(store, at: 7), is: Array(rows[1...]))
      try expect("none at its deadline", try await waiting(store, at: 7.001), is: [])
      try await settle(store, "c", .declined, nil, Sample.later(1))
      try expect("none that is settled", try await waiting(store, at: 0), is: Array(rows[1...]))
    },
    Law("Of 8 outcomes at once each belongs to a request of its own") { store in
      for number in 1...8 {
        _ = try await add(store, request("key-\(number)", at: Double(number)))
      }
      let noted = try await concurrently(8) { number in
        try await note(store, "OUTCOME_\(number)", Sample.later(99))
      }
      try expect("how many were noted", noted.count { $0 }, is: 8)
      let outcomes = try await cases(store).compactMap(\.outcome)
      try expect("how many different ones", Set(outcomes).count, is: 8)
    },
    Law("The longest answer is stored") { store in
      _ = try await add(store, request("key"))
      let longest = String(repeating: "x", count: 65_535)
      try await settle(store, "key", .answered, longest, Sample.now)
      try expect("the answer", try await find(store, "key")?.answer, is: longest)
    },
  ]

  private static func request(
    _ key: String, of id: String = "2000000000000001", at seconds: Double = 0
  ) -> ConsumptionCase {
    ConsumptionCase(
      key: key, environment: .production, transactionID: id,
      originalTransactionID: "1000000000000001", requestedDate: Sample.later(seconds),
      deadline: Sample.later(43_200))
  }

  private static func add(_ store: any PurchaseStore, _ row: ConsumptionCase) async throws -> Bool {
    try await store.write { try await $0.consumption.add(row) }
  }

  private static func find(
    _ store: any PurchaseStore, _ key: String
  ) async throws -> ConsumptionCase? {
    try await store.read { try await $0.consumption.find(key: key) }
  }

  private static func prepare(
    _ store: any PurchaseStore, _ row: ConsumptionCase, _ answer: String?
  ) async throws -> Bool {
    try await store.write { try await $0.consumption.prepare(row, replacing: answer) }
  }

  private static func settle(
    _ store: any PurchaseStore, _ key: String, _ state: ConsumptionCase.State, _ answer: String?,
    _ now: Date
  ) async throws {
    try await store.write {
      try await $0.consumption.settle(key: key, state: state, answer: answer, now: now)
    }
  }

  private static func note(
    _ store: any PurchaseStore, _ outcome: String, _ date: Date
  ) async throws -> Bool {
    try await store.write {
      try await $0.consumption.note(
        outcome: outcome, ofTransaction: "2000000000000001", environment: .production, date: date)
    }
  }

  private static func waiting(
    _ store: any PurchaseStore, at seconds: Double, limit: Int = 10
  ) async throws -> [ConsumptionCase] {
    try await store.read {
      try await $0.consumption.waiting(at: Sample.later(seconds), limit: limit)
    }
  }

  private static func cases(_ store: any PurchaseStore) async throws -> [ConsumptionCase] {
    try await store.read {
      try await $0.consumption.cases(ofTransaction: "2000000000000001", environment: .production)
    }
  }
}
