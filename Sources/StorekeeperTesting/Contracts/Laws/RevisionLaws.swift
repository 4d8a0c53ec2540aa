internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum RevisionLaws {
  /// The laws of revisions, of the walk over receipts, and of the date of the latest notification.
  static let all: [StoreLaw] = [
    Law("A revision of a history is kept for each original id, environment and kind") { store in
      let all = [
        revision("first"), revision("second", kind: .refunds),
        revision("third", environment: .sandbox), revision("fourth", of: "1002"),
      ]
      for row in all { try await put(store, row) }
      for row in all { try expect("the revision", try await find(store, like: row), is: row) }
      let others = [revision("", of: "1002", kind: .refunds), revision("", of: "1003")]
      for row in others { try expect("no revision", try await find(store, like: row), is: nil) }
    },
    Law("An older revision never replaces a newer one; one of the same moment does") { store in
      for (text, seconds, kept) in [
        ("a", 10.001, "a"), ("b", 10, "a"), ("c", 10.001, "c"), ("d", 11, "d"), ("e", 1, "d"),
      ] {
        let row = revision(text, asOf: Sample.later(seconds))
        try await put(store, row)
        try expect("the revision", try await find(store, like: row)?.revision, is: kept)
      }
    },
    Law("A history without a revision is kept, and takes the place of an older one with one") {
      store in
      for (text, seconds) in [("first", 1.0), (nil, 2), ("second", 3), (nil, 4)] as [(String?, _)] {
        let row = revision(text, asOf: Sample.later(seconds))
        try await put(store, row)
        try expect("the revision", try await find(store, like: row), is: row)
      }
    },
    Law("A revision that was removed is gone, and no other; then any is kept") { store in
      let (row, other) = (revision("first"), revision("second", kind: .refunds))
      for row in [row, other] { try await put(store, row) }
      for _ in 1...2 {
        try await store.write {
          try await $0.purchases.removeRevision(
            of: row.originalTransactionID, environment: row.environment, kind: row.kind)
        }
        try expect("no revision", try await find(store, like: row), is: nil)
      }
      try expect("the other", try await find(store, like: other), is: other)
      let older = revision("third", asOf: Sample.days(-1))
      try await put(store, older)
      try expect("the new one", try await find(store, like: row), is: older)
    },
    Law("The longest revision is stored") { store in
      let longest = revision(String(repeating: "r", count: 2048))
      try await put(store, longest)
      try expect("the revision", try await find(store, like: longest), is: longest)
    },
    Law("All receipts are walked in the order of the bytes of id and environment") { store in
      let receipts = [
        Sample.receipt("QUJD", of: "10"), Sample.receipt("QUJE", of: "10", environment: .sandbox),
        Sample.receipt("QUJF", of: "100"), Sample.receipt("QUJG", of: "2", environment: .sandbox),
        Sample.receipt("QUJH", of: "9", asOf: Sample.later(1.5)),
      ]
      for receipt in receipts.reversed() { try await store.put(receipt) }
      for limit in [1, 2, 10] {
        var found: [StoredReceipt] = []
        while true {
          let page = try await RevisionLaws.receipts(
            store, after: found.last.map(ReceiptCursor.init), limit)
          try expect("at most so many", page.count <= limit)
          if page.isEmpty { break }
          found += page
        }
        try expect("the receipts", found, is: receipts)
      }
      let between = ReceiptCursor(originalTransactionID: "1999", environment: .production)
      try expect(
        "those after a key that is not stored",
        try await RevisionLaws.receipts(store, after: between, 10),
        is: Array(receipts.suffix(2)))
      try expect("none", try await RevisionLaws.receipts(store, after: nil, 0).count, is: 0)
    },
    Law("All purchases are walked in the order of the bytes of id and environment, each once") {
      store in
      let keys = [
        ("10", AppStoreEnvironment.production), ("10", .sandbox), ("100", .production),
        ("2", .sandbox), ("9", .production),
      ].map { ReceiptCursor(originalTransactionID: $0, environment: $1) }
      for (number, key) in keys.reversed().enumerated() {
        for charge in 0..<2 {
          let transaction = Sample.transaction(
            "\(5000 + 10 * number + charge)", of: key.originalTransactionID,
            signed: Sample.now)
          try await store.write { records in
            try await records.purchases.record(
              transactions: [transaction], environment: key.environment, now: Sample.now)
          }
        }
      }
      for limit in [1, 2, 10] {
        var found: [ReceiptCursor] = []
        while true {
          let page = try await RevisionLaws.purchases(store, after: found.last, limit)
          try expect("at most so many", page.count <= limit)
          if page.isEmpty { break }
          found += page
        }
        try expect("the purchases", found, is: keys)
      }
      let between = ReceiptCursor(originalTransactionID: "1999", environment: .production)
      try expect(
        "those after a key that is not stored",
        try await RevisionLaws.purchases(store, after: between, 10), is: Array(keys.suffix(2)))
      try expect("none", try await RevisionLaws.purchases(store, after: nil, 0).count, is: 0)
    },
    Law("The latest notification is the one that was recorded last in its environment") { store in
      for (key, environment, seconds) in [
        ("first", AppStoreEnvironment.production, 10.0), ("second", .production, 30),
        ("third", .production, 20), ("second", .production, 90), ("fourth", .sandbox, 40),
      ] {
        let record = NotificationRecord(
          key: key, environment: environment, notificationType: "DID_RENEW")
        try await store.notify(record, now: Sample.later(seconds))
      }
      for (environment, date) in [
        (AppStoreEnvironment.production, Sample.later(30)), (.sandbox, Sample.later(40)),
      ] {
        try expect("the date", try await latest(store, environment), is: date)
      }
      _ = try await store.write {
        try await $0.retention.removeNotifications(before: Sample.days(1), limit: 10)
      }
      try expect("no date", try await latest(store, .production), is: nil)
    },
  ]

  /// The laws of the moves of purchases from account to account.
  static let transfers: [StoreLaw] = [
    Law("The moves of a purchase are kept in their order, each environment's apart") { store in
      let moves = [
        ("1", AppStoreEnvironment.production, "ann", "ben", StoreCapability.subscriptions, 20.001),
        ("1", .production, "ben", "Ann", .entitlements, 10),
        ("1", .sandbox, "ann", "ben", .orders, 5),
        ("10", .production, "ann", "ben", .subscriptions, 5),
        ("1", .production, "Ann", "ben", .orders, 20.001),
      ].map { id, environment, previous, owner, capability, seconds in
        PurchaseTransfer(
          environment: environment, originalTransactionID: id, from: AccountID(stored: previous),
          to: AccountID(stored: owner), by: capability, date: Sample.later(seconds))
      }
      for move in moves { try await store.write { try await $0.purchases.record(move) } }
      func stored(
        _ id: String, _ environment: AppStoreEnvironment = .production
      ) async throws -> [PurchaseTransfer] {
        try await store.read { try await $0.purchases.transfers(of: id, environment: environment) }
      }
      try expect("the moves", try await stored("1"), is: [moves[0], moves[1], moves[4]])
      try expect("those of the Sandbox", try await stored("1", .sandbox), is: [moves[2]])
      try expect("those of another", try await stored("10"), is: [moves[3]])
      try expect("none", try await stored("2"), is: [])
    }
  ]

  private static func revision(
    _ text: String?, of id: String = "1000000000000001",
    environment: AppStoreEnvironment = .production, kind: HistoryRevision.Kind = .history,
    asOf: Date = Sample.now
  ) -> HistoryRevision {
    HistoryRevision(
      originalTransactionID: id, environment: environment, kind: kind, revision: text, asOf: asOf)
  }

  private static func put(_ store: any PurchaseStore, _ revision: HistoryRevision) async throws {
    try await store.write { try await $0.purchases.put(revision) }
  }

  private static func find(
    _ store: any PurchaseStore, like row: HistoryRevision
  ) async throws -> HistoryRevision? {
    try await store.read {
      try await $0.purchases.revision(
        of: row.originalTransactionID, environment: row.environment, kind: row.kind)
    }
  }

  private static func receipts(
    _ store: any PurchaseStore, after cursor: ReceiptCursor?, _ limit: Int
  ) async throws -> [StoredReceipt] {
    try await store.read { try await $0.purchases.receipts(after: cursor, limit: limit) }
  }

  private static func purchases(
    _ store: any PurchaseStore, after cursor: ReceiptCursor?, _ limit: Int
  ) async throws -> [ReceiptCursor] {
    try await store.read { try await $0.purchases.purchases(after: cursor, limit: limit) }
  }

  private static func latest(
    _ store: any PurchaseStore, _ environment: AppStoreEnvironment
  ) async throws -> Date? {
    try await store.read {
      try await $0.notifications.latestNotificationDate(environment: environment)
    }
  }
}
