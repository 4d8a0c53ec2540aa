internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = CreditSample

enum CreditTransactionLaws {
  /// The laws of the transactions of credit products.
  static let all: [StoreLaw] = [
    Law("A credit transaction is read as it was stored, and has a number") { store in
      for status in CreditTransaction.Status.allCases {
        var row = Sample.transaction("20000009\(status)", status: status)
        row.refundRound = 2
        row.lastEventSignedDate = ContractSample.later(0.123)
        row.purchase.originalTransactionID = "another"
        row.purchase.revocationDate = ContractSample.now
        let stored = try await store.insert(row)
        try expect("a number", stored.id != nil)
        row.id = stored.id
        row.purchase.revocationDate = nil
        try expect("the stored transaction", stored, is: row)
        let found = try await store.creditTransaction(row.purchase.transactionID)
        try expect("the transaction that is read", found, is: row)
      }
      try expect(
        "no transaction of another environment",
        try await store.creditTransaction("20000009granted", environment: .sandbox) == nil)
      try expect("no unknown transaction", try await store.creditTransaction("1") == nil)
    },
    Law("The numbers of credit transactions ascend") { store in
      var numbers: [Int] = []
      for number in 1...5 {
        numbers.append(try await store.insert(Sample.transaction("\(number)")).id ?? 0)
      }
      try expect("the numbers", numbers, is: Set(numbers).sorted())
    },
    Law("Environment and identifier of a credit transaction are unique") { store in
      let stored = try await store.insert(Sample.transaction())
      var other = Sample.transaction(of: "another")
      other.productCode = "welcome_pack"
      let again = other
      let change = try await store.write { records in
        let second = try await records.creditTransactions.insert(again, now: Sample.now)
        return (
          second, try await records.creditLedger.book(Sample.booking(1, "after"), now: Sample.now)
        )
      }
      try expect("no second row", change.0 == nil)
      try expect("the balance after a row that was there", try await store.balance(), is: 1)
      try expect("the transaction", try await store.creditTransaction(), is: stored)
      let sandbox = try await store.insert(Sample.transaction(environment: .sandbox))
      try expect("another number", sandbox.id != stored.id)
    },
    Law("Identifiers of credit transactions are compared byte by byte") { store in
      for id in ["é", "e\u{301}", "A", "a", "1", "01"] {
        try await store.insert(Sample.transaction(id))
      }
      let found = try await store.creditTransaction("e\u{301}")
      try expect(
        "the bytes of the identifier", (found?.purchase.transactionID.utf8.map(Int.init)) ?? [],
        is: [0x65, 0xCC, 0x81])
    },
    Law("Of 16 units of work that insert one credit transaction at once one succeeds") { store in
      try await expectOne(of: 16, "that succeeded") { number in
        try await store.write { records in
          let row = Sample.transaction(of: AccountID(stored: "buyer-\(number)"))
          if try await records.creditTransactions.insert(row, now: Sample.now) != nil {
            return true
          }
          let stored = try await records.creditTransactions.find(
            transactionID: row.purchase.transactionID, environment: .production)
          try expect("a row that was in the way is found", stored != nil)
          return false
        }
      }
      let all = try await store.read {
        try await $0.creditTransactions.transactions(after: nil, limit: 10)
      }
      try expect("the number of rows", all.count, is: 1)
    },
    Law("An update replaces every value except environment and identifier") { store in
      var row = try await store.insert(Sample.transaction(status: .revokedPending))
      try await store.insert(Sample.transaction("other"))
      let changed = Sample.transaction(status: .granted)
      row.userID = changed.userID
      row.productCode = changed.productCode
      row.creditsPerUnit = 1
      row.credits = Int.max
      row.ledgerEventID = changed.ledgerEventID
      row.status = .refunded
      row.refundRound = 1
      row.lastEventSignedDate = ContractSample.later(1)
      row.purchase.quantity = 2
      row.purchase.appAccountToken = nil
      row.purchase.productID = "com.example.gems.other"
      var update = row
      update.purchase.environment = .sandbox
      update.purchase.transactionID = "moved"
      let written = update
      try await store.write {
        try await $0.creditTransactions.update(written, now: ContractSample.later(9))
      }
      try expect("the transaction", try await store.creditTransaction(), is: row)
      try expect(
        "no moved transaction",
        try await store.creditTransaction("moved", environment: .sandbox) == nil)
      try expect("the other", try await store.creditTransaction("other")?.status, is: .granted)
      row.userID = nil
      row.status = .open
      let reopened = row
      try await store.write {
        try await $0.creditTransactions.update(reopened, now: ContractSample.later(9))
      }
      try expect("the transaction", try await store.creditTransaction(), is: row)
    },
    Law("Credit transactions are walked in the order of their numbers, all or a user's") { store in
      var stored: [CreditTransaction] = []
      for number in 1...7 {
        let user: AccountID = number.isMultiple(of: 2) ? "even" : "odd"
        let row = Sample.transaction("\(number)", status: number == 5 ? .open : .granted, of: user)
        stored.append(try await store.insert(row))
      }
      let all = try await walk(store) { try await $0.transactions(after: $1, limit: 3) }
      try expect("all", all, is: stored)
      let odd = try await walk(store) { try await $0.transactions(of: "odd", after: $1, limit: 2) }
      try expect("the user's", odd, is: stored.filter { $0.userID == "odd" })
      let none = try await store.read { records in
        [
          try await records.creditTransactions.transactions(of: "nobody", after: nil, limit: 5),
          try await records.creditTransactions.transactions(of: "odd", after: nil, limit: 0),
          try await records.creditTransactions.transactions(after: nil, limit: -1),
        ]
      }
      try expect("none", none, is: [[], [], []])
    },
    Law("A credit transaction that is looked up stays as it is until the unit of work ends") {
      store in
      let stored = try await store.insert(Sample.transaction(status: .open))
      try await expectOne(of: 16, "of grants") { number in
        try await store.write { records in
          guard
            var row = try await records.creditTransactions.find(
              transactionID: stored.purchase.transactionID, environment: .production),
            row.status == .open
          else { return false }
          await Task.yield()
          row.status = .granted
          row.userID = AccountID(stored: "buyer-\(number)")
          try await records.creditTransactions.update(row, now: Sample.now)
          return true
        }
      }
    },
  ]

  /// Goes from page to page until none comes.
  private static func walk(
    _ store: any PurchaseStore,
    _ page:
      nonisolated(nonsending) @escaping @Sendable (
        any CreditTransactionRepository, Int?
      ) async throws -> [CreditTransaction]
  ) async throws -> [CreditTransaction] {
    try await store.read { records in
      var found: [CreditTransaction] = []
      while true {
        let rows = try await page(records.creditTransactions, found.last?.id)
        if rows.isEmpty { return found }
        found += rows
      }
    }
  }
}
