internal import JSONValues
internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = CreditSample

enum CreditValueLaws {
  /// The laws of the values of credits, stored whole.
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
    Law("The longest metadata and the longest identity are stored") { store in
      var longest = Sample.booking(1, "event")
      longest.metadata = ["a": .string(String(repeating: "x", count: (64 << 10) - 8))]
      try await store.book(longest)
      try expect(
        "the metadata", try await store.entry("event")?.booking.metadata == longest.metadata)
      let identity = String(repeating: "x", count: 1024)
      try expect("whether it was marked", try await store.mark(identity), is: true)
      try expect("the identity", try await store.claim(identity) != nil)
    },
  ]

  private static let strangeTexts = [
    "it's", "'; DROP TABLE credit_ledger; --", "$1", "back\\slash \"quoted\"", " spaces ",
    "line\nline\t", "订阅 🧾 é", "e\u{301}", "\u{FEFF}", "%_*", "NULL", "{}",
  ]

  private static func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
}
