internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

enum StampLaws {
  /// The laws of stamps: repeated data counts as newer, even where little of it is written.
  static let all: [StoreLaw] = [
    Law("What Apple said again is not replaced by what it said before that") { store in
      try await store.save(Sample.subscription())
      for seconds in [10.0, 20] { try await put(store, ["21": 1, "22": 1], at: seconds) }
      try await put(store, ["21": 2], at: 19.999)
      try await expectStored(store, ["21": (1, 20), "22": (1, 20)])
      try await put(store, ["21": 3], at: 20)
      try await expectStored(store, ["21": (3, 20), "22": (1, 20)])
    },
    Law("What Apple said again of one transaction says nothing of the others") { store in
      try await store.save(Sample.subscription())
      try await put(store, ["21": 1, "22": 1], at: 10)
      try await put(store, ["21": 1], at: 20)
      try await put(store, ["21": 2, "22": 2], at: 15)
      try await expectStored(store, ["21": (1, 20), "22": (2, 15)])
    },
    Law("A transaction that comes late has its own moment, and others keep theirs") { store in
      try await store.save(Sample.subscription())
      for seconds in [10.0, 20] { try await put(store, ["21": 1, "22": 1], at: seconds) }
      try await put(store, ["23": 1], at: 15)
      try await put(store, ["21": 2, "23": 2], at: 16)
      try await expectStored(store, ["21": (1, 20), "22": (1, 20), "23": (2, 16)])
    },
    Law("A transaction that moved to another subscription is guarded as before") { store in
      try await store.save(Sample.subscription(), Sample.subscription("1002"))
      for seconds in [10.0, 20] { try await put(store, ["21": 1], at: seconds) }
      for seconds in [10.0, 30] { try await put(store, ["31": 1], of: "1002", at: seconds) }
      try await put(store, ["21": 2], of: "1002", at: 15)
      try await expectStored(store, ["21": (1, 20)])
      try await put(store, ["21": 2], of: "1002", at: 25)
      try await expectStored(store, [:])
      try await put(store, ["21": 3], of: "1002", at: 26)
      try await expectStored(store, of: "1002", ["21": (3, 26), "31": (1, 30)])
    },
    Law("Whatever comes in whatever order, each transaction is as of its latest word") { store in
      try await store.save(Sample.subscription(), Sample.subscription("1002"))
      // The third subscription has no row.
      let subscriptions = ["1000000000000001", "1002", "1003"]
      var chance = Chance(state: 20_201_114)
      var model: [String: [String: Word]] = [:]
      for _ in 0..<200 {
        let subscription = subscriptions[chance.next(below: 3)]
        let seconds = Double(chance.next(below: 12))
        var values: [String: Int] = [:]
        for number in 0..<4 where chance.next(below: 4) > 0 {
          values["\(subscription)\(number)"] = 1 + chance.next(below: 10) / 8
        }
        try await put(store, values, of: subscription, at: seconds)
        for (id, value) in values {
          if let word = model[subscription]?[id], word.seconds > seconds { continue }
          model[subscription, default: [:]][id] = (value, seconds)
        }
        try await expectStored(store, of: subscription, model[subscription] ?? [:])
      }
    },
    Law("The same receipt again is as of the later moment") { store in
      for id in ["1000000000000001", "1002"] {
        if id == "1002" { try await store.save(Sample.subscription("1002")) }
        for (text, seconds, kept, asOf) in [
          ("AAAA", 10.0, "AAAA", 10.0), ("AAAA", 30, "AAAA", 30), ("AAAA", 20, "AAAA", 30),
          ("BBBB", 29.999, "AAAA", 30), ("CCCC", 30, "CCCC", 30), ("DDDD", 31, "DDDD", 31),
        ] {
          try await store.put(Sample.receipt(text, of: id, asOf: Sample.later(seconds)))
          let found = try await store.receipt(of: id)
          try expect("the receipt", found?.receipt, is: kept)
          try expect("its stamp", found?.asOf, is: Sample.later(asOf))
          let stamp = try await store.receiptStamp(of: id)
          try expect("its stamp alone", stamp, is: Sample.later(asOf))
        }
      }
    },
  ]

  /// The value of a transaction and its stamp, in seconds.
  private typealias Word = (value: Int, seconds: Double)

  /// Records transactions with one stamp; a value is a number of days until the expiry.
  private static func put(
    _ store: any PurchaseStore, _ values: [String: Int], of id: String = "1000000000000001",
    at seconds: Double
  ) async throws {
    let records = values.sorted { $0.key < $1.key }.map { transaction, value in
      Sample.transaction(
        transaction, of: id, signed: Sample.later(seconds), expires: Sample.days(Double(value)))
    }
    try await store.put(records)
  }

  private static func expectStored(
    _ store: any PurchaseStore, of id: String = "1000000000000001", _ words: [String: Word]
  ) async throws {
    let found = try await store.transactions(of: [id])
    try expect(
      "the expiries",
      Dictionary(uniqueKeysWithValues: found.map { ($0.transactionID, $0.expiresDate) }),
      is: words.mapValues { Sample.days(Double($0.value)) })
    try expect(
      "the stamps",
      Dictionary(uniqueKeysWithValues: found.map { ($0.transactionID, $0.signedDate) }),
      is: words.mapValues { Sample.later($0.seconds) })
  }
}

/// Numbers that look random, and are the same each time.
private struct Chance {
  var state: UInt64

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
