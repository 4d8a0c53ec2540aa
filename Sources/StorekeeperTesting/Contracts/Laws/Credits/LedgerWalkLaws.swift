internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = CreditSample

enum LedgerWalkLaws {
  /// The laws of lists of entries and accounts.
  static let all: [StoreLaw] = [
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
    Law("An audit walks all entries by the bytes of the user, then by number, or a user's") {
      store in
      let users: [AccountID] = ["b", "A", "a", "B", "aa", "~", "!"]
      for number in 0..<3 {
        for user in users {
          let environment: AppStoreEnvironment? = number == 1 ? .sandbox : nil
          try await store.book(
            Sample.booking(number, "\(user)-\(number)", of: user, environment: environment))
        }
      }
      let entries = try await walk(store, of: nil, limit: 4)
      let expected = ["!", "A", "B", "a", "aa", "b", "~"].flatMap { [$0, $0, $0] }
      try expect("the users", entries.map(\.userID.rawValue), is: expected)
      try expect("the amounts", entries.map(\.amount), is: users.flatMap { _ in [0, 1, 2] })
      try expect("the balances", entries.map(\.balanceAfter), is: users.flatMap { _ in [0, 1, 3] })
      let pairs = zip(entries, entries.dropFirst()).filter { $0.userID == $1.userID }
      try expect("ascending numbers", pairs.allSatisfy { $0.id < $1.id })
      for user in users {
        try expect(
          "the user's", try await walk(store, of: user, limit: 2),
          is: entries.filter { $0.userID == user })
      }
      let others = try await store.read { records in
        let beyond = LedgerPlace(userID: "aa", id: Int.max)
        return (
          try await records.ledgerAudit.entries(of: nil, after: beyond, limit: 1).first?.userID,
          try await records.ledgerAudit.entries(of: "nobody", after: nil, limit: 5),
          try await records.ledgerAudit.entries(of: nil, after: nil, limit: 0)
        )
      }
      try expect("the user after a user's entries", others.0, is: "b")
      try expect("nobody's entries", others.1, is: [])
      try expect("no entries", others.2, is: [])
    },
    Law("An audit walks accounts by the bytes of the user") { store in
      let users: [AccountID] = ["b", "A", "a", "B", "aa"]
      for (index, user) in users.enumerated() {
        try await store.book(index, "of-\(user)", of: user)
      }
      let pages = try await store.read { records in
        let audit = try records.ledgerAudit
        let first = try await audit.accounts(after: nil, through: nil, limit: 2)
        let second = try await audit.accounts(after: first.last?.userID, through: nil, limit: 2)
        let third = try await audit.accounts(after: second.last?.userID, through: nil, limit: 2)
        let last = try await audit.accounts(after: third.last?.userID, through: nil, limit: 2)
        let through = try await audit.accounts(after: "A", through: "aa", limit: 9)
        return [first, second, third, last, through]
      }
      try expect(
        "the users", pages.map { $0.map(\.userID) },
        is: [["A", "B"], ["a", "aa"], ["b"], [], ["B", "a", "aa"]])
      try expect(
        "the balances", pages.map { $0.map(\.balance) },
        is: [[1, 3], [2, 4], [0], [], [3, 2, 4]])
      let (one, none) = try await store.read { records in
        (
          try await records.ledgerAudit.account(of: "aa"),
          try await records.ledgerAudit.account(of: "aaa")
        )
      }
      try expect("one account", one, is: CreditAccount(userID: "aa", balance: 4))
      try expect("no account", none == nil)
    },
    Law("An audit counts all entries and transactions, and calls those doubtful that are wrong") {
      store in
      // The first is granted without an entry, the second is right, and the third has an entry of another
      // user.
      var rows: [CreditTransaction] = []
      for number in 1...3 { rows.append(try await store.insert(Sample.transaction("\(number)"))) }
      let owners: [(CreditTransaction, AccountID)] = [(rows[1], "buyer"), (rows[2], "thief")]
      for (row, user) in owners {
        var booking = try unwrap("the booking", LedgerBooking(purchase: row))
        booking.userID = user
        try await store.book(booking)
      }
      try await store.book(5, "bonus")
      try await store.book(
        LedgerBooking(
          userID: "buyer", environment: .production, eventID: "payment.apple_iap:9",
          changeType: .purchase, subjectType: "payment", subjectID: "1234567", amount: 1500))
      let (entries, transactions, ofThief) = try await store.read { records in
        (
          try await walk {
            try await records.ledgerAudit.examineEntries(of: nil, after: $0, limit: 2)
          },
          try await walk {
            try await records.ledgerAudit.examineTransactions(of: nil, after: $0, limit: 2)
          },
          try await walk { place in
            try await records.ledgerAudit.examineEntries(of: "thief", after: place, limit: 2)
          }
        )
      }
      try expect("the number of entries", entries.count, is: 4)
      try expect("the number of transactions", transactions.count, is: 3)
      try expect("the number of a user's entries", ofThief.count, is: 1)
      let events = entries.doubtful.map(\.eventID)
      try expect("the stolen entry", events.contains("payment.apple_iap:3"))
      try expect("the entry without a transaction", events.contains("payment.apple_iap:9"))
      try expect("no entry of the host's own", !events.contains("bonus"))
      try expect("the user's entry", ofThief.doubtful.map(\.eventID), is: ["payment.apple_iap:3"])
      let ids = transactions.doubtful.map(\.purchase.transactionID)
      try expect("the transaction without an entry", ids.contains("1"))
      try expect("transactions as they are stored", rows.contains(transactions.doubtful[0]))
    },
    Law("An audit finds entries by their event and transactions by their number") { store in
      let row = try await store.insert(Sample.transaction())
      let booking = try unwrap("the booking", LedgerBooking(purchase: row))
      try await store.book(booking)
      let number = try unwrap("the number", row.id)
      try await store.read { records in
        let audit = try records.ledgerAudit
        try expect("the transaction", try await audit.transaction(number: number), is: row)
        try expect("no transaction", try await audit.transaction(number: number + 1) == nil)
        let entry = try await audit.entry(eventID: booking.eventID, environment: .production)
        try expect("the user", entry?.userID, is: booking.userID)
        try expect("the thing", entry?.subjectID, is: "\(number)")
        try expect("the amount", entry?.amount, is: booking.amount)
        let other = try await audit.entry(eventID: booking.eventID, environment: .sandbox)
        try expect("no entry of another environment", other == nil)
      }
    },
  ]

  /// Goes from place to place until nothing comes.
  private static func walk(
    _ store: any PurchaseStore, of userID: AccountID?, limit: Int
  ) async throws -> [AuditedEntry] {
    try await store.read { records in
      var found: [AuditedEntry] = []
      while true {
        let rows = try await records.ledgerAudit.entries(
          of: userID, after: found.last?.place, limit: limit)
        if rows.isEmpty { return found }
        found += rows
      }
    }
  }

  /// Goes from number to number until nothing comes.
  private static func walk<Row>(
    _ page: nonisolated(nonsending) (Int?) async throws -> ExaminedRows<Row>
  ) async throws -> ExaminedRows<Row> {
    var found = ExaminedRows<Row>(count: 0, last: nil, doubtful: [])
    while true {
      let rows = try await page(found.last)
      guard let last = rows.last else { return found }
      found.count += rows.count
      found.last = last
      found.doubtful += rows.doubtful
    }
  }
}
