internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = EntitlementSample

enum EntitlementValueLaws {
  /// The laws of the texts of entitlements, stored whole.
  static let all: [StoreLaw] = [
    Law("Quotes, SQL, white space and any Unicode in entitlements are stored byte by byte") {
      store in
      for (number, text) in strangeTexts.enumerated() {
        let user = AccountID(stored: text)
        let row = Sample.association(
          "\(number)", of: user, in: text, by: PurchaseAssociation.Evidence(rawValue: text))
        try await store.add(row)
        try expect(
          "the association", try await store.association("\(number)").map(bytes), is: bytes(row))
        try await store.replace(row)
        try await store.record(Sample.conflict("\(number)", owner: user, claimant: user))
        let claim = try await store.conflicts("\(number)").first
        try expect("the owner", claim?.owner, is: user)
        try expect("the claimant", claim?.claimant, is: user)
        let added = try await store.acquire([Sample.product(text, via: text)], for: user, in: text)
        try expect("the added", added.map(bytes), is: [bytes(text)])
        let product = try await store.acquired(by: user, in: text).first
        try expect("the product", (product?.productID).map(bytes), is: bytes(text))
        try expect("its subscription", (product?.viaProductID).map(bytes), is: bytes(text))
        var state = Sample.state(in: text)
        state.lastFailure = ValidationFailure(rawValue: text)
        try await store.save(state, of: user)
        let found = try await store.state(of: user, in: text)
        try expect("the app", (found?.bundleID).map(bytes), is: bytes(text))
        try expect("the failure", (found?.lastFailure?.rawValue).map(bytes), is: bytes(text))
        try expect(
          "the number of associations", try await store.associations(of: user, in: [text]).count,
          is: 1)
        for bundleIDs in [[text], strangeTexts] {
          try await store.expectHoldings(of: user, in: bundleIDs)
        }
      }
      let leased = try await store.lease(limit: 100)
      try expect(
        "the leased users", leased.map { bytes($0.userID.rawValue) },
        is: strangeTexts.map { bytes($0) }.sorted { $0.lexicographicallyPrecedes($1) })
    },
    Law("Users, apps and products that look the same, but have other bytes, are different") {
      store in
      let (one, other) = ("e\u{301}", "é")
      let users = [AccountID(stored: one), AccountID(stored: other)]
      try await store.add(
        Sample.association("1", of: users[0], in: one),
        Sample.association("2", of: users[1], in: one),
        Sample.association("3", of: users[0], in: other))
      for (user, bundleID, id) in [
        (users[0], one, "1"), (users[1], one, "2"), (users[0], other, "3"),
      ] {
        try expect(
          "the associations",
          try await store.associations(of: user, in: [bundleID]).map(\.originalTransactionID),
          is: [id])
        try await store.expectHoldings(of: user, in: [bundleID])
        try await store.expectHoldings(of: user, in: [one, other])
      }
      try expect(
        "removed from the other", try await store.remove("1", of: users[1], in: one), is: [])
      try expect(
        "removed in the other app", try await store.remove("1", of: users[0], in: other), is: [])
      let added = try await store.acquire([Sample.product(other), Sample.product(one)])
      try expect("the added", added.map(bytes), is: [one, other].map(bytes))
      try expect("the number of products", try await store.acquired().count, is: 2)
      try await store.save(Sample.state(1, in: one))
      try await store.save(Sample.state(2, in: other))
      try expect(
        "the state", try await store.state(in: one)?.nextValidationDate, is: ContractSample.later(1)
      )
    },
    Law("The longest texts of entitlements are stored") { store in
      let user = AccountID(stored: String(repeating: "é", count: 64))
      let word = String(repeating: "é", count: 127) + "x"
      let row = Sample.association(
        String(repeating: "9", count: 64), of: user, in: word,
        by: PurchaseAssociation.Evidence(rawValue: String(repeating: "x", count: 64)))
      try expect("what is stored then", try await store.add(row), is: [row])
      try expect(
        "the added",
        try await store.acquire([Sample.product(word, via: word)], for: user, in: word), is: [word])
      try await store.save(Sample.state(in: word), of: user)
      try expect("the lease", try await store.leasedUsers(), is: [user])
      try await store.expectHoldings(of: user, in: [word])
    },
  ]

  private static let strangeTexts = [
    "it's", "'; DROP TABLE store_acquired; --", "$1", "back\\slash \"quoted\"", " spaces ",
    "line\nline\t", "订阅 🧾 é", "e\u{301}", "\u{FEFF}", "%_*", "NULL", "{}", "{a,b}", "[\"a\"]",
    "\u{1}\u{7F}", "a,b",
  ]

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func bytes(_ row: PurchaseAssociation) -> [[UInt8]] {
    [row.originalTransactionID, row.userID.rawValue, row.bundleID, row.evidence.rawValue].map {
      Array($0.utf8)
    }
  }
}
