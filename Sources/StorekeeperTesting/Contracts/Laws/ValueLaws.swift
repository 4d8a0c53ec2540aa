internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

/// Texts that are stored where any text may be, byte by byte as they are.
private let awkwardTexts = [
  "'; DROP TABLE apple_receipt; --", "\"quoted\" and 'quoted'", "$1 $2 ? :name %s \\' \\", "NULL",
  "line\nbreak\tand\r\nreturn", " spaces around ", "年度会员 ✓ \u{1F600}", "e\u{301} and \u{E9}",
  "\u{202E}backwards\u{FEFF}", String(repeating: "x", count: 1024),
]

/// Two texts that look alike and are different.
private let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

enum ValueLaws {
  /// The laws of values, read as they were written.
  static let all: [StoreLaw] = [
    Law("Quotes, SQL, white space and any Unicode are stored byte by byte") { store in
      for (number, text) in awkwardTexts.enumerated() {
        var row = try Sample.membership(AccountID(stored: "member-\(number)"))
        row.details.hostPlanID = text
        row.details.subscriptionID = text
        try await store.insert(row)
        let found = try await store.membership(AccountID(stored: "member-\(number)"))
        try expectSame(found?.details.hostPlanID, text)
        try expectSame(found?.details.subscriptionID, text)
      }
    },
    Law("An account may be called like SQL") { store in
      let ids = [
        "';DROP/**/TABLE/**/apple_receipt;--", "\"", "'", "\\", "%", "_", "../../etc/passwd",
      ]
      for id in ids { try await store.insert(try Sample.membership(AccountID(stored: id))) }
      for id in ids {
        let found = try await store.memberships(try Sample.account(AccountID(stored: id)))
        try expect("the memberships of \(id)", found.map(\.primaryID), is: [AccountID(stored: id)])
      }
    },
    Law("Any product name is stored byte by byte") { store in
      for product in [composed, decomposed, "a'b\"c;--", String(repeating: "p", count: 255)] {
        var saved = Sample.subscription()
        saved.productID = product
        try await store.save(saved)
        try expectSame(try await store.subscription()?.subscription.productID, product)
      }
    },
    Law("Texts that look alike are not the same") { store in
      for (number, text) in [composed, decomposed].enumerated() {
        var row = try Sample.membership(AccountID(stored: "member-\(number)"))
        row.details.subscriptionID = text
        try await store.insert(row)
        try expect("a notification of its own", try await store.notify(Sample.notification(text)))
      }
    },
    Law("Identifiers of up to 64 digits are texts: no digit is lost") { store in
      for id in [
        "0", "00", "007", "9223372036854775808", "18446744073709551616",
        String(repeating: "9", count: 64),
      ] {
        try await store.save(Sample.subscription(id))
        try expect(
          "the id", try await store.subscription(id)?.subscription.originalTransactionID, is: id)
      }
    },
    Law("Dates of a subscription have whole seconds, cut off; its stamp has milliseconds") {
      store in
      var saved = Sample.subscription(expires: Sample.later(1.999))
      saved.purchaseDate = Date(timeIntervalSince1970: -0.5)
      try await store.save(saved, asOf: Sample.later(0.789), now: Sample.later(2.75))
      let found = try await store.subscription()
      try expect("the expiry", found?.subscription.expiresDate, is: Sample.later(1))
      try expect(
        "the purchase", found?.subscription.purchaseDate, is: Date(timeIntervalSince1970: -1))
      try expect("the creation", found?.subscription.createdDate, is: Sample.later(2))
      try expect("the stamp", found?.asOf, is: Sample.later(0.789))
    },
    Law("Dates from the year 1 to 9999 are stored") { store in
      for seconds in [-62_135_596_800, -1, 0, 253_402_300_799] as [TimeInterval] {
        let date = Date(timeIntervalSince1970: seconds)
        try await store.save(Sample.subscription("\(Int(seconds.magnitude))", expires: date))
        let found = try await store.subscription("\(Int(seconds.magnitude))")
        try expect("the expiry", found?.subscription.expiresDate, is: date)
      }
    },
    Law("Days are stored as days") { store in
      for (number, day) in ["0001-01-01", "1969-12-31", "2020-02-29", "9999-12-31"].enumerated() {
        var row = try Sample.membership(AccountID(stored: "member-\(number)"))
        row.expireDate = CalendarDay(day)
        try await store.insert(row)
        let found = try await store.membership(AccountID(stored: "member-\(number)"))
        try expect("the day", found?.expireDate?.description, is: day)
      }
    },
    Law("Words of a membership that are not known are kept as they are") { store in
      let row = try await store.insert(try unknownMembership())
      try expect("the words that insert returned", words(row), is: unknownWords)
      try expect("the row", try await store.membership("member"), is: row)
    },
    Law("A change of something else leaves words that are not known") { store in
      let row = try await store.insert(try unknownMembership())
      let updated = changed(row) { $0.originalTransactionID = nil }
      let stored = try await store.update(updated, previous: row)
      try expect("the words that update returned", words(stored), is: unknownWords)
      try expect("the row", try await store.membership("member"), is: updated)
    },
    Law("A snapshot has the words that are not known") { store in
      let row = try await store.insert(try unknownMembership())
      try await store.write {
        try await $0.memberships.snapshot(row, reason: .link, now: Sample.now)
      }
      let events = try await store.history(of: .account("member"), limit: 10)
      guard case .snapshot(let copy, _)? = events.first?.kind else {
        throw ContractMismatch(expected: "a snapshot", found: "\(events)")
      }
      try expect("the words of the copy", words(copy), is: unknownWords)
    },
    Law("A word that is known takes the place of one that is not") { store in
      let row = try await store.insert(try unknownMembership())
      let known = changed(row) {
        $0.tier = .standard
        $0.cycle = .month
        $0.expireDate = Sample.today
        $0.payMethod = .apple
        $0.details.status = nil
      }
      try await store.update(known, previous: row)
      try expect("the row", try await store.membership("member"), is: known)
    },
    Law("A last day with a time behind it is read by its day") { store in
      var row = try Sample.membership("member")
      row.unreadableExpireDate = "2030-01-01 00:00:00"
      let stored = try await store.insert(row)
      try expect("the day", stored.expireDate, is: CalendarDay("2030-01-01"))
      try expect("the text that cannot be read", stored.unreadableExpireDate, is: nil)
      try expect("the row", try await store.membership("member"), is: stored)
    },
  ]

  private static let unknownWords: [String?] = ["gold", "week", "31/12/2030", "paypal", "paused"]

  /// A membership none of whose words is known, and whose last day is none.
  private static func unknownMembership() throws -> Membership {
    var row = try Sample.appleMembership("member", of: "1001")
    row.tier = Tier(rawValue: "gold")
    row.cycle = BillingCycle(rawValue: "week")
    row.unreadableExpireDate = "31/12/2030"
    row.payMethod = PayMethod(rawValue: "paypal")
    row.details.status = ProviderStatus(rawValue: "paused")
    return row
  }

  private static func words(_ row: Membership) -> [String?] {
    [
      row.tier?.rawValue, row.cycle?.rawValue, row.unreadableExpireDate, row.payMethod?.rawValue,
      row.details.status?.rawValue,
    ]
  }

  private static func expectSame(_ found: String?, _ expected: String) throws {
    try expect("the bytes", found.map { Array($0.utf8) }, is: Array(expected.utf8))
  }
}
