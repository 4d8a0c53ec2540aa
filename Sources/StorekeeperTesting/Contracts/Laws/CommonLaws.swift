internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

enum CommonUnitOfWorkLaws {
  /// The laws of units of work, with records that every store has.
  static let all: [StoreLaw] = [
    Law("A unit of work returns the result of its closure") { store in
      try expect("the result of write", try await store.write { _ in 7 }, is: 7)
      try expect("the result of read", try await store.read { _ in "seven" }, is: "seven")
    },
    Law("A unit of work sees its own evidence, and later ones see it after write has returned") {
      store in
      let own = try await store.write { records in
        try await put("AAAA", in: records)
        return try await records.purchases.receipt(of: Sample.id, environment: .production)?.receipt
      }
      try expect("the receipt inside the unit of work", own, is: "AAAA")
      try expect("the receipt afterwards", try await store.receipt()?.receipt, is: "AAAA")
    },
    Law("An error of the closure is passed on, and its evidence and messages are rolled back") {
      store in
      for number in [1, 2] {
        do {
          try await store.write { records in
            try await put("AAAA", in: records)
            try await records.purchases.record(
              transactions: [Sample.transaction(signed: Sample.now)], environment: .production,
              now: Sample.now)
            _ = try await records.notifications.record(
              notification: Sample.notification("key"), now: Sample.now)
            try await records.outbox.add(try Sample.message(), now: Sample.now)
            throw Interruption(number: number)
          }
          throw ContractMismatch(expected: "Interruption", found: "no error")
        } catch let error as Interruption {
          try expect("the number of the error", error.number, is: number)
        }
      }
      try expect("the receipt", try await store.receipt()?.receipt, is: nil)
      let found = try await store.read { records in
        [
          try await records.purchases.transactions(of: [Sample.id], environment: .production).count,
          try await records.notifications.isSeen(notificationKey: "key") ? 1 : 0,
          try await records.outbox.unsentCount(),
        ]
      }
      try expect("the numbers of rows", found, is: [0, 0, 0])
    },
    Law("A unit of work that only reads keeps no evidence that is written in it") { store in
      do {
        try await store.read { try await put("AAAA", in: $0) }
      } catch is StorageFailure {}
      try expect("the receipt", try await store.receipt()?.receipt, is: nil)
    },
    Law("Nobody sees evidence before its unit of work has ended") { store in
      let (written, seen) = (ContractGate(), ContractGate())
      async let writing: Void = store.write { records in
        try await put("AAAA", in: records)
        written.open()
        await seen.wait(atMost: .seconds(300))
      }
      await written.wait()
      let before = try await store.receipt()?.receipt
      seen.open()
      try await writing
      try expect("the receipt before the end", before, is: nil)
      try expect("the receipt afterwards", try await store.receipt()?.receipt, is: "AAAA")
    },
    Law("Of 16 units of work that record one transaction at once the latest stamp stays") { store in
      _ = try await concurrently(16) { number in
        try await store.put(
          Sample.transaction(
            signed: Sample.later(Double(number)), expires: Sample.days(Double(number))))
      }
      let found = try await store.transactions()
      try expect("the expiry", found.map(\.expiresDate), is: [Sample.days(15)])
    },
    Law("An attempt to write succeeds, and leaves nothing") { store in
      try await store.tryWriting()
      try expect("unsent messages", try await store.unsentCount(), is: 0)
    },
  ]

  private static func put(_ text: String, in records: UnitOfWork) async throws {
    try await records.purchases.put(Sample.receipt(text), now: Sample.now)
  }
}
