internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = CreditSample

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
      let amounts = results.compactMap { result in
        if case .booked(let entry) = result { entry.booking.amount } else { nil }
      }
      try expect("the amounts", amounts.sorted().prefix(5), is: [-30, -30, -30, -10, 0])
      try expect("the number of bookings", amounts.count, is: 16)
      try await store.expectExplained()
    },
    Law("Of 16 first bookings of a user at once all are made") { store in
      let results = try await concurrently(16) { try await store.book(1, "event-\($0)") }
      let balances = results.compactMap { result in
        if case .booked(let entry) = result { entry.balanceAfter } else { nil }
      }
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
    let numbers = results.compactMap { result in
      if case .booked(let entry) = result { entry.id } else { nil }
    }
    try expect("the number of entries", Set(numbers).count, is: 32)
    try expect("the balance", try await self[0].balance(), is: 1000 - 11 * 7 + 21 * 10)
    try await self[0].expectExplained()
  }

  func expectOneBookingIsMade() async throws {
    let made = try await concurrently(16) { number in
      try await self[number].bookOnce(
        CreditSample.booking(
          60, "event", of: number.isMultiple(of: 2) ? "one" : "two", environment: .production))
    }
    try expect("the number that was made", made.count { $0 }, is: 1)
    let balances = [
      try await self[0].balance(of: "one"), try await self[0].balance(of: "two"),
    ]
    try expect("the balances", balances.sorted(), is: [0, 60])
  }

  func expectSpendingIsLimited() async throws {
    try await self[0].book(10, "bonus")
    let made = try await concurrently(32) { number in
      let result = try await self[number].book(-1, "spending-\(number)")
      if case .booked = result { return true }
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
      let marked = try await concurrently(16) { number in
        try await handles[number].mark("ann@example.com", transactionID: "\(number)")
      }
      try expect("the number that was marked", marked.count { $0 }, is: 1)
    },
    Law("A notification is new to one of two handles") { handles in
      let new = try await concurrently(16) { number in
        try await handles[number].record(CreditSample.notification("uuid"))
      }
      try expect("the number that was new", new.count { $0 }, is: 1)
    },
  ]
}
