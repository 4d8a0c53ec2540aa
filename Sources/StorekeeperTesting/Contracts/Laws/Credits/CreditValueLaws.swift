internal import JSONValues
internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = CreditSample

enum CreditValueLaws {
  /// The laws of the values of credits, refused or stored whole.
  static let all: [StoreLaw] = [
    Law("Quotes, SQL, white space and any Unicode in credits are stored byte by byte") { store in
      for (index, text) in strangeTexts.enumerated() {
        var booking = Sample.booking(1, "\(text)\(index)")
        booking.subjectID = text
        booking.subjectType = text
        booking.changeType = LedgerBooking.ChangeType(rawValue: text)
        booking.metadata = [text: .string(text)]
        try await store.book(booking)
        let entry = try await store.entry(booking.eventID)
        try expect(
          "the texts of the entry",
          [entry?.booking.eventID, entry?.booking.subjectID, entry?.booking.subjectType].map(bytes),
          is: [booking.eventID, text, text].map(bytes))
        try expect("the metadata", entry?.booking.metadata, is: booking.metadata)
        var row = Sample.transaction("\(text)\(index)")
        row.productCode = text
        row.purchase.bundleID = text
        row.purchase.productID = text
        row = try await store.insert(row)
        let found = try await store.creditTransaction(row.purchase.transactionID)
        try expect("the bytes of the code", bytes(found?.productCode), is: bytes(text))
        try expect("the transaction", found, is: row)
        _ = try await store.mark(text)
        try expect("the identity", bytes(try await store.claim(text)?.identity), is: bytes(text))
        var notification = Sample.notification(text)
        notification.type = text
        notification.subtype = text
        _ = try await store.record(notification)
        try expect("the notification", try await store.creditNotification(text), is: notification)
      }
    },
    Law("A booking with a text that cannot be stored is refused, and changes nothing") { store in
      for text in ["", "a\u{0}", String(repeating: "x", count: 256)] {
        let changes: [(inout LedgerBooking) -> Void] = [
          { $0.eventID = text }, { $0.subjectID = text }, { $0.subjectType = text },
          { $0.changeType = LedgerBooking.ChangeType(rawValue: text) },
          { $0.environment = AppStoreEnvironment(rawValue: text) },
        ]
        for (index, change) in changes.enumerated() {
          let booking = changed(Sample.booking(1, "event"), change)
          try await expectRefused("text \(index), \(named(text))") { try await store.book(booking) }
        }
      }
      for id in [""] + badAccountIDs {
        let booking = Sample.booking(1, "event", of: AccountID(stored: id))
        try await expectRefused("the user \(named(id))") { try await store.book(booking) }
      }
      let entries = try await store.read {
        try await $0.ledgerAudit.entries(of: nil, after: nil, limit: 10).count
      }
      try expect("the number of entries", entries, is: 0)
    },
    Law("Metadata that is too long, too deep or has a long name is refused") { store in
      var deep = JSONValue.null
      for _ in 0..<1000 { deep = .array([deep]) }
      let values: [(String, [String: JSONValue])] = [
        ("nested too deeply", ["a": deep]),
        ("of a long name", [String(repeating: "n", count: 129): .null]),
        ("of more than 64 KiB", ["a": .string(String(repeating: "x", count: 64 << 10))]),
      ]
      for (name, metadata) in values {
        var booking = Sample.booking(1, "event")
        booking.metadata = metadata
        let refused = booking
        try await expectRefused("metadata \(name)") { try await store.book(refused) }
      }
      var longest = Sample.booking(1, "event")
      longest.metadata = ["a": .string(String(repeating: "x", count: (64 << 10) - 8))]
      try await store.book(longest)
      try expect(
        "the longest", try await store.entry("event")?.booking.metadata == longest.metadata)
    },
    Law("A credit transaction with a text that cannot be stored is refused") { store in
      for text in ["", "a\u{0}", String(repeating: "x", count: 256)] {
        let changes: [(inout CreditTransaction) -> Void] = [
          { $0.purchase.transactionID = text }, { $0.purchase.originalTransactionID = text },
          { $0.purchase.environment = AppStoreEnvironment(rawValue: text) },
          { $0.purchase.bundleID = text }, { $0.purchase.productID = text },
          { $0.productCode = text }, { $0.ledgerEventID = text },
          { $0.userID = AccountID(stored: text) },
        ]
        let stored = try await store.insert(Sample.transaction("stored-\(text.utf8.count)"))
        for (index, change) in changes.enumerated() {
          let row = changed(Sample.transaction(), change)
          try await expectRefused("text \(index), \(named(text))") { try await store.insert(row) }
          let update = changed(stored, change)
          try await expectRefused("an update of text \(index), \(named(text))") {
            try await store.write {
              try await $0.creditTransactions.update(update, now: Sample.now)
            }
          }
        }
      }
      try expect("no transaction", try await store.creditTransaction() == nil)
    },
    Law("A claim or a notification with a text that cannot be stored is refused") { store in
      for text in ["", "a\u{0}", String(repeating: "x", count: 1025)] {
        try await expectRefused("the identity \(named(text))") { _ = try await store.mark(text) }
        try await expectRefused("the transaction \(named(text))") {
          _ = try await store.mark("ann", transactionID: text)
        }
        try await expectRefused("the user \(named(text))") {
          _ = try await store.mark("ann", userID: AccountID(stored: text))
        }
        try await expectRefused("the UUID \(named(text))") {
          _ = try await store.record(Sample.notification(text))
        }
        let environment = changed(Sample.notification("uuid")) {
          $0.environment = AppStoreEnvironment(rawValue: text)
        }
        try await expectRefused("the environment \(named(text))") {
          _ = try await store.record(environment)
        }
      }
      for text in badTexts {
        let changes: [(inout CreditNotification) -> Void] = [
          { $0.type = text }, { $0.subtype = text }, { $0.transactionID = text },
        ]
        for (index, change) in changes.enumerated() {
          let notification = changed(Sample.notification("uuid"), change)
          try await expectRefused("text \(index), \(named(text))") {
            _ = try await store.record(notification)
          }
        }
      }
      try expect("no notification", try await store.creditNotification("uuid") == nil)
      try expect("no claim", try await store.claim("ann") == nil)
      let longest = String(repeating: "x", count: 1024)
      let isMarked = try await store.mark(longest)
      try expect("whether the longest identity was marked", isMarked, is: true)
      try expect("the longest identity", try await store.claim(longest) != nil)
    },
    Law("A query for credits with texts that no row can have finds nothing or is refused") {
      store in
      try await store.book(1, "event")
      for text in ["", "a\u{0}", "\u{0}"] + badTexts {
        let user = AccountID(stored: text)
        try await expectNothing("transactions") {
          try await store.creditTransaction(text) == nil ? 0 : 1
        }
        try await expectNothing("transactions of an environment") {
          try await store.creditTransaction(
            "1", environment: AppStoreEnvironment(rawValue: text)) == nil ? 0 : 1
        }
        try await expectNothing("transactions of a user") {
          try await store.read {
            try await $0.creditTransactions.transactions(of: user, after: nil, limit: 1).count
          }
        }
        try await expectNothing("entries") { try await store.entry(text) == nil ? 0 : 1 }
        try await expectNothing("entries of a user") {
          try await store.read {
            try await $0.creditLedger.entries(of: user, skipping: 0, limit: 1).count
          }
        }
        try await expectNothing("counted entries") { try await store.count(of: user) }
        try await expectNothing("credits") { try await store.balance(of: user) }
        try await expectNothing("claims") { try await store.claim(text) == nil ? 0 : 1 }
        try await expectNothing("notifications") {
          try await store.creditNotification(text) == nil ? 0 : 1
        }
      }
    },
  ]

  private static let strangeTexts = [
    "it's", "'; DROP TABLE credit_ledger; --", "$1", "back\\slash \"quoted\"", " spaces ",
    "line\nline\t", "订阅 🧾 é", "e\u{301}", "\u{FEFF}", "%_*", "NULL", "{}",
  ]

  private static func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
}
