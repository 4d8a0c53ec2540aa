internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = CreditSample

enum LedgerWalkLaws {
  /// The laws of lists of entries and accounts.
  static let all: [CreditLaw] = [
    Law("A user's entries come with the newest first, page by page, and are counted") { store in
      for number in 0..<7 {
        try await store.book(number, "event-\(number)")
        try await store.book(number, "other-\(number)", of: "another")
      }
      let pages = try await store.read { records in
        var pages: [[String]] = []
        for (skipping, limit) in [(0, 3), (3, 3), (6, 3), (9, 3), (0, 0), (-5, 2), (2, -1)] {
          pages.append(
            try await records.creditLedger.entries(
              of: "buyer", skipping: skipping, limit: limit
            ).map(\.booking.eventID))
        }
        return pages
      }
      let events = (0..<7).reversed().map { "event-\($0)" }
      try expect(
        "the pages", pages,
        is: [
          Array(events[0..<3]), Array(events[3..<6]), [events[6]], [], [], Array(events[0..<2]), [],
        ])
      try expect("the number", try await store.count(), is: 7)
      try expect("the number of nobody's entries", try await store.count(of: "nobody"), is: 0)
    },
    Law("All entries are walked by the bytes of the user, then by number, as whole and for audits")
    {
      store in
      let users: [AccountID] = ["b", "A", "a", "B", "aa", "~", "!"]
      for number in 0..<3 {
        for user in users {
          let environment: AppStoreEnvironment? = number == 1 ? .sandbox : nil
          try await store.book(
            Sample.booking(
              number, "\(user)-\(number)", of: user, environment: environment))
        }
      }
      let entries = try await walk(store) {
        try await $0.entries(after: $1, limit: 4)
      } place: {
        LedgerPlace(userID: $0.booking.userID, id: $0.id)
      }
      let expected = ["!", "A", "B", "a", "aa", "b", "~"].flatMap { user in
        (0..<3).map { "\(user)-\($0)" }
      }
      try expect("the events", entries.map(\.booking.eventID), is: expected)
      let rows = try await walk(store) {
        try await $0.auditRows(after: $1, limit: 5)
      } place: {
        $0.place
      }
      try expect("the rows for audits", rows, is: entries.map(LedgerAuditRow.init))
      let beyond = LedgerPlace(userID: "aa", id: Int.max)
      let next = try await store.read {
        try await $0.creditLedger.entries(after: beyond, limit: 1).first?.booking.eventID
      }
      try expect("the first entry after a user's", next, is: "b-0")
      let none = try await store.read {
        try await $0.creditLedger.auditRows(after: nil, limit: 0)
      }
      try expect("no rows", none, is: [])
    },
    Law("Accounts are walked by the bytes of the user") { store in
      let users: [AccountID] = ["b", "A", "a", "B", "aa"]
      for (index, user) in users.enumerated() {
        try await store.book(index, "of-\(user)", of: user)
      }
      let pages = try await store.read { records in
        let first = try await records.creditLedger.accounts(after: nil, limit: 2)
        let second = try await records.creditLedger.accounts(after: first.last?.userID, limit: 2)
        let third = try await records.creditLedger.accounts(after: second.last?.userID, limit: 2)
        let last = try await records.creditLedger.accounts(after: third.last?.userID, limit: 2)
        return [first, second, third, last]
      }
      try expect(
        "the users", pages.map { $0.map(\.userID) }, is: [["A", "B"], ["a", "aa"], ["b"], []])
      try expect("the balances", pages.map { $0.map(\.balance) }, is: [[1, 3], [2, 4], [0], []])
    },
  ]

  /// Goes from place to place until nothing comes.
  private static func walk<Row: Sendable>(
    _ store: any CreditStore,
    _ page:
      nonisolated(nonsending) @escaping @Sendable (
        any CreditLedgerRepository, LedgerPlace?
      ) async throws -> [Row],
    place: @escaping @Sendable (Row) -> LedgerPlace
  ) async throws -> [Row] {
    try await store.read { records in
      var found: [Row] = []
      while true {
        let rows = try await page(records.creditLedger, found.last.map(place))
        if rows.isEmpty { return found }
        found += rows
      }
    }
  }
}
