internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = OrderSample

enum OrderValueLaws {
  /// The laws of the texts of orders, stored whole.
  static let all: [StoreLaw] = [
    Law("Quotes, SQL, white space and any Unicode in orders are stored byte by byte") { store in
      for text in strangeTexts {
        let user = AccountID(stored: text)
        let row = changed(
          Sample.subscription(
            of: user, level: text, key: Sample.key(text, from: Vendor(rawValue: text)))
        ) { $0.receiptData = text }
        try expect("whether it was added", try await store.add(row), is: true)
        try expect(
          "the subscription", try await store.orderedSubscription(of: user).map(bytes),
          is: bytes(row))
        try await store.save(row)
        let owner = try await store.claimPurchase(text, from: Vendor(rawValue: text), for: user)
        try expect("the owner", owner, is: user)
        try expect(
          "the owner later", try await store.owners([text], from: Vendor(rawValue: text)),
          is: [user])
        try await store.replaceLevels(
          with: Sample.levels(Sample.level(text, apple: text, google: text)))
        let level = try await store.levels().all.first
        try expect("the level", (level?.name).map(bytes), is: bytes(text))
        try expect("its product", (level?.appleProductID).map(bytes), is: bytes(text))
      }
    },
    Law("Users and purchases that look the same, but have other bytes, are different") { store in
      let (one, other) = ("e\u{301}", "é")
      _ = try await store.add(Sample.subscription(of: AccountID(stored: one)))
      try expect("none", try await store.orderedSubscription(of: AccountID(stored: other)) == nil)
      _ = try await store.claimPurchase(one)
      try expect("the other", try await store.claimPurchase(other, for: "ben"), is: "ben")
      try expect("the owners", try await store.owners([one, other]), is: ["ann", "ben"])
    },
    Law("The longest texts of orders are stored") { store in
      let user = AccountID(stored: String(repeating: "é", count: 64))
      let word = String(repeating: "é", count: 127) + "x"
      let row = changed(Sample.subscription(of: user, level: word, key: Sample.key(word))) {
        $0.receiptData = String(repeating: "x", count: 1 << 20)
      }
      try expect("whether it was added", try await store.add(row), is: true)
      try expect("the subscription", try await store.orderedSubscription(of: user) == row)
      try expect("the owner", try await store.claimPurchase(word, for: user), is: user)
    },
  ]

  private static let strangeTexts = [
    "it's", "'; DROP TABLE subscription_claims; --", "$1", "back\\slash \"quoted\"", " spaces ",
    "line\nline\t", "订阅 🧾 é", "e\u{301}", "\u{FEFF}", "%_*", "NULL", "{a,b}", "\u{1}\u{7F}",
  ]

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func bytes(_ row: OrderedSubscription) -> [[UInt8]] {
    [
      row.userID.rawValue, row.levelName, row.vendor.rawValue, row.environment.rawValue,
      row.purchaseKey.identifier, row.receiptData,
    ].map { Array($0.utf8) }
  }
}
