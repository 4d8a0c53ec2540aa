internal import CreditPolicy
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = CreditSample

enum LedgerLaws {
  static let bookings: [StoreLaw] = [
    Law("A user without an account has no credits and no entries") { store in
      try expect("the balance", try await store.balance(), is: 0)
      try expect("the number of entries", try await store.count(), is: 0)
      let accounts = try await store.read {
        try await $0.ledgerAudit.accounts(after: nil, through: nil, limit: 10)
      }
      try expect("the accounts", accounts, is: [])
    },
    Law("A booking changes the balance by its amount, and its entry has the balance after it") {
      store in
      var numbers: [Int] = []
      var balance = 0
      for (index, amount) in [100, 60, -25, 0, -135, 0, 1].enumerated() {
        balance += amount
        let booking = Sample.booking(amount, "event-\(index)")
        let entry = try unwrap("an entry", try await store.book(booking).entry)
        try expect("the balance after it", entry.balanceAfter, is: balance)
        try expect("the booking", entry.booking, is: booking)
        try expect("the balance", try await store.balance(), is: balance)
        numbers.append(entry.id)
      }
      try expect("the numbers", numbers, is: Set(numbers).sorted())
      try await store.expectExplained()
      try expect("another's balance", try await store.balance(of: "another"), is: 0)
    },
    Law("An entry is read as it was booked, with its metadata and the date in milliseconds") {
      store in
      var booking = Sample.booking(60, "payment.apple_iap:1", environment: .sandbox)
      booking.metadata = [
        "ext": .object([
          "provider": .string("apple_iap"), "quantity": .integer(3), "no": .null,
          "edge": .integer(.min), "ratio": .number(0.5), "flag": .boolean(true),
          "list": .array([.string("é\"\\\u{0}\n"), .array([])]), "": .object([:]),
        ])
      ]
      let result = try await store.book(booking, now: ContractSample.later(0.1234))
      let entry = try unwrap("an entry", result.entry)
      try expect("the booking", entry.booking, is: booking)
      try expect("the date", entry.createdDate, is: ContractSample.later(0.123))
      try expect(
        "the entry", try await store.entry("payment.apple_iap:1", environment: .sandbox), is: entry)
      try expect(
        "no entry of another environment", try await store.entry("payment.apple_iap:1") == nil)
      try expect(
        "no other entry",
        try await store.entry("payment.apple_iap:2", environment: .sandbox) == nil)
    },
    Law("The first booking of a user makes the account, also with an amount of 0") { store in
      try await store.book(0, "nothing")
      let accounts = try await store.read {
        try await $0.ledgerAudit.accounts(after: nil, through: nil, limit: 10)
      }
      try expect("the accounts", accounts, is: [CreditAccount(userID: "buyer", balance: 0)])
      try expect("the number of entries", try await store.count(), is: 1)
    },
    Law("An event is booked once in each environment") { store in
      for environment in [nil, AppStoreEnvironment.sandbox, .production] {
        try await store.book(Sample.booking(5, "event", environment: environment))
      }
      try expect("the balance", try await store.balance(), is: 15)
      for environment in [nil, AppStoreEnvironment.sandbox, .production] {
        for amount in [5, 0, -1, -1000, Int.max, Int.min] {
          let other = Sample.booking(amount, "event", of: "another", environment: environment)
          for booking in [Sample.booking(amount, "event", environment: environment), other] {
            try await expectFailure(.duplicate(.ledgerEvent)) { try await store.book(booking) }
          }
        }
      }
      try expect("the balance afterwards", try await store.balance(), is: 15)
      try expect("another's balance", try await store.balance(of: "another"), is: 0)
      try expect("the number of entries", try await store.count(), is: 3)
    },
    Law("Events are compared byte by byte") { store in
      for event in ["é", "e\u{301}", "A", "a", "a ", " a"] {
        let isNew = try await store.bookOnce(Sample.booking(1, event))
        try expect("whether \(event.debugDescription) was booked", isNew, is: true)
      }
      try expect("the balance", try await store.balance(), is: 6)
    },
  ]

  static let refusals: [StoreLaw] = [
    Law("A booking that would take more than there is changes nothing") { store in
      for amount in [-1, -1000, Int.min] {
        try expect(
          "the result", try await store.book(amount, "early-\(amount)"),
          is: .insufficient(balance: 0))
      }
      try expect("the number of entries", try await store.count(), is: 0)
      try await store.book(10, "bonus")
      for amount in [-11, -1000, -Int.max, Int.min] {
        try expect(
          "the result", try await store.book(amount, "late-\(amount)"),
          is: .insufficient(balance: 10))
        try expect("no entry", try await store.entry("late-\(amount)") == nil)
      }
      try expect("the balance", try await store.balance(), is: 10)
      try expect("the number of entries", try await store.count(), is: 1)
    },
    Law("A balance of 64 bits is kept exactly, and a greater one is refused") { store in
      try await store.book(Int.max - 1, "most")
      try expect("the balance", try await store.balance(), is: Int.max - 1)
      for amount in [2, Int.max] {
        try expect(
          "the result", try await store.book(amount, "more-\(amount)"),
          is: .outOfRange(balance: Int.max - 1))
      }
      try await store.book(1, "last")
      try expect("the balance", try await store.balance(), is: Int.max)
      try expect("the entry", try await store.entry("last")?.balanceAfter, is: Int.max)
      try expect("the result", try await store.book(1, "no"), is: .outOfRange(balance: Int.max))
      try await store.book(0, "nothing")
      try await store.book(-Int.max, "all")
      try expect("the entry", try await store.entry("all")?.booking.amount, is: -Int.max)
      try expect("the balance", try await store.balance(), is: 0)
      try await store.book(Int.max, "again")
      try expect("the balance", try await store.balance(), is: Int.max)
      try expect("the number of entries", try await store.count(), is: 5)
    },
    Law("A unit of work goes on after a booking that was refused") { store in
      let balance = try await store.write { records in
        let ledger = try records.creditLedger
        _ = try await ledger.book(Sample.booking(10, "bonus"), now: Sample.now)
        let refused = try await ledger.book(Sample.booking(-11, "much"), now: Sample.now)
        try expect("the result", refused, is: .insufficient(balance: 10))
        let most = try await ledger.book(Sample.booking(Int.max, "most"), now: Sample.now)
        try expect("the result", most, is: .outOfRange(balance: 10))
        _ = try await ledger.book(Sample.booking(-10, "less"), now: Sample.now)
        return try await ledger.balance(of: "buyer")
      }
      try expect("the balance inside the unit of work", balance, is: 0)
      try expect("the number of entries", try await store.count(), is: 2)
      try await store.expectExplained()
    },
  ]
}

enum LedgerRaceLaws {
  /// The laws of bookings at the same moment.
  static let all: [StoreLaw] = [
    Law("Of 32 bookings at once none is lost, and the entries explain the balance") { store in
      try await StoreHandles(store).expectNoBookingIsLost()
    },
    Law("Of 16 bookings of one event at once one is made") { store in
      try await StoreHandles(store).expectOneBookingIsMade()
    },
    Law("32 users who spend at once never spend more than there is") { store in
      try await StoreHandles(store).expectSpendingIsLimited()
    },
    Law("A balance that is read in a unit of work that writes stays until its end") { store in
      try await store.book(100, "bonus")
      let results = try await concurrently(16) { number in
        try await store.write { records in
          let balance = try await records.creditLedger.balance(of: "buyer")
          await Task.yield()
          let amount = -min(30, balance)
          return try await records.creditLedger.book(
            Sample.booking(amount, "clawback-\(number)"), now: Sample.now)
        }
      }
      let amounts = results.compactMap(\.entry?.booking.amount)
      try expect("the amounts", amounts.sorted().prefix(5), is: [-30, -30, -30, -10, 0])
      try expect("the number of bookings", amounts.count, is: 16)
      try await store.expectExplained()
    },
    Law("Of 16 first bookings of a user at once all are made") { store in
      let results = try await concurrently(16) { try await store.book(1, "event-\($0)") }
      let balances = results.compactMap(\.entry?.balanceAfter)
      try expect("the balances", balances.sorted(), is: Array(1...16))
    },
  ]
}

extension StoreHandles {
  func expectNoBookingIsLost() async throws {
    try await self[0].book(1000, "bonus")
    let results = try await concurrently(32) { number in
      let amount = number.isMultiple(of: 3) ? -7 : 10
      return try await self[number].book(amount, "event-\(number)")
    }
    let numbers = results.compactMap(\.entry?.id)
    try expect("the number of entries", Set(numbers).count, is: 32)
    try expect("the balance", try await self[0].balance(), is: 1000 - 11 * 7 + 21 * 10)
    try await self[0].expectExplained()
  }

  func expectOneBookingIsMade() async throws {
    try await expectOne(of: 16, "that was made") { number in
      try await self[number].bookOnce(
        Sample.booking(
          60, "event", of: number.isMultiple(of: 2) ? "one" : "two", environment: .production))
    }
    let balances = [try await self[0].balance(of: "one"), try await self[0].balance(of: "two")]
    try expect("the balances", balances.sorted(), is: [0, 60])
  }

  func expectSpendingIsLimited() async throws {
    try await self[0].book(10, "bonus")
    let made = try await concurrently(32) { number in
      let result = try await self[number].book(-1, "spending-\(number)")
      if result.entry != nil { return true }
      try expect("the result", result, is: .insufficient(balance: 0))
      return false
    }
    try expect("the number that was made", made.count { $0 }, is: 10)
    try expect("the balance", try await self[0].balance(), is: 0)
    try await self[0].expectExplained()
  }
}

enum SharedCreditLaws {
  /// The laws of two handles to the same data, such as those of two processes.
  static let all: [Law<StoreHandles>] = [
    Law("What one handle has booked the other sees") { handles in
      try await handles[0].book(10, "bonus")
      try await handles[1].book(-3, "spending")
      try expect("the balance", try await handles[0].balance(), is: 7)
      try await handles[1].expectExplained()
    },
    Law("Of 32 bookings by two handles none is lost") { handles in
      try await handles.expectNoBookingIsLost()
    },
    Law("Of 16 bookings of one event by two handles one is made") { handles in
      try await handles.expectOneBookingIsMade()
    },
    Law("32 users of two handles never spend more than there is") { handles in
      try await handles.expectSpendingIsLimited()
    },
    Law("Of 16 starter packs of one identity by two handles one is marked") { handles in
      try await expectOne(of: 16, "that was marked") { number in
        try await handles[number].mark("ann@example.com", transactionID: "\(number)")
      }
    },
    Law("A notification is new to one of two handles") { handles in
      try await expectOne(of: 16, "that was new") { number in
        try await handles[number].record(Sample.notification("uuid"))
      }
    },
  ]
}
