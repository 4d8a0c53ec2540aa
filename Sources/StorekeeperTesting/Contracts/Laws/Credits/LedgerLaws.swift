internal import JSONValues
internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = CreditSample

enum LedgerLaws {
  /// The laws of bookings that are made.
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
        guard case .booked(let entry) = try await store.book(booking) else {
          throw ContractMismatch(expected: "an entry", found: "a refusal")
        }
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
      guard case .booked(let entry) = result else {
        throw ContractMismatch(expected: "an entry", found: "\(result)")
      }
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
            try await expectFailure(
              "StorageFailure.duplicate(.ledgerEvent) for an amount of \(amount)",
              of: { try await store.book(booking) }, isAccepted: { $0 == .duplicate(.ledgerEvent) })
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

  /// The laws of bookings that are refused.
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
