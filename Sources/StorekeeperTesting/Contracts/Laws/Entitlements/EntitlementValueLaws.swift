internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = EntitlementSample

enum EntitlementValueLaws {
  /// The laws of the texts of entitlements, refused or stored whole.
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
    Law("The longest texts of entitlements are stored, and longer ones are refused") { store in
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
      try await expectRefused("a user of 129 bytes") {
        try await store.add(Sample.association("1", of: AccountID(stored: user.rawValue + "x")))
      }
      try await expectRefused("an app of 256 bytes") {
        try await store.save(Sample.state(in: word + "x"))
      }
    },
    Law("An association with a text that cannot be stored is refused, and nothing beside it") {
      store in
      try await store.add(Sample.association("1"))
      let changes: [(String, (inout PurchaseAssociation, String) -> Void)] = [
        ("user", { $0.userID = AccountID(stored: $1) }), ("app", { $0.bundleID = $1 }),
        ("identifier", { $0.originalTransactionID = $1 }),
        ("evidence", { $0.evidence = PurchaseAssociation.Evidence(rawValue: $1) }),
        ("environment", { $0.environment = AppStoreEnvironment(rawValue: $1) }),
      ]
      for text in ["", "a\u{0}", String(repeating: "x", count: 256)] {
        for (name, change) in changes {
          let row = changed(Sample.association("1", of: "ben")) { change(&$0, text) }
          try await expectRefused("\(name) \(named(text))") {
            try await store.add(Sample.association("2"), row)
          }
          try await expectRefused("replacement of \(name) \(named(text))") {
            try await store.replace(row)
          }
        }
        for conflict in [
          Sample.conflict(text), Sample.conflict("1", owner: AccountID(stored: text)),
          Sample.conflict("1", claimant: AccountID(stored: text)),
        ] {
          try await expectRefused("a claim with \(named(text))") {
            try await store.record(conflict)
          }
        }
      }
      for id in badTransactionIDs {
        try await expectRefused("identifier \(named(id))") {
          try await store.add(Sample.association(id))
        }
      }
      for environment in [AppStoreEnvironment(rawValue: "Xcode"), .init(rawValue: "production")] {
        try await expectRefused("environment \(environment.rawValue)") {
          try await store.add(Sample.association("2", environment: environment))
        }
      }
      try expect(
        "the associations", try await store.associations(["1", "2"]), is: [Sample.association("1")])
      try expect("the claims", try await store.conflicts("1"), is: [])
    },
    Law("A product or a state with a text that cannot be stored is refused") { store in
      for text in ["", "a\u{0}", String(repeating: "x", count: 256)] {
        for product in [Sample.product(text), Sample.product("b", via: text)] {
          try await expectRefused("a product with \(named(text))") {
            try await store.acquire([Sample.product("a"), product])
          }
        }
        try await expectRefused("a user's product") {
          try await store.acquire([Sample.product("a")], for: AccountID(stored: text))
        }
        try await expectRefused("an app's product") {
          try await store.acquire([Sample.product("a")], in: text)
        }
        try await expectRefused("a user's state") {
          try await store.save(Sample.state(), of: AccountID(stored: text))
        }
        try await expectRefused("an app's state") { try await store.save(Sample.state(in: text)) }
        try await expectRefused("a state's failure") {
          try await store.save(
            changed(Sample.state()) { $0.lastFailure = ValidationFailure(rawValue: text) })
        }
        try await expectRefused("a token") { _ = try await store.lease(text) }
      }
      try await expectRefused("a token with white space") { _ = try await store.lease("a b") }
      try expect("the products", try await store.acquired(), is: [])
      try expect("no state", try await store.state() == nil)
    },
    Law("A query for entitlements with texts that no row can have finds nothing or is refused") {
      store in
      try await store.add(Sample.association("1"))
      try await store.acquire([Sample.product("a")])
      try await store.save(Sample.state())
      for text in ["", "a\u{0}", "\u{0}", "ann\u{0}", "com.example.draw\u{0}"] + badTexts {
        let user = AccountID(stored: text)
        try await expectNothing("associations") { try await store.associations(of: user).count }
        try await expectNothing("associations in an app") {
          try await store.associations(of: "ann", in: [text, text]).count
        }
        try await expectNothing("products") { try await store.acquired(by: user).count }
        try await expectNothing("products in an app") { try await store.acquired(in: text).count }
        try await expectNothing("states") { try await store.state(of: user) == nil ? 0 : 1 }
        try await expectNothing("states in an app") {
          try await store.state(in: text) == nil ? 0 : 1
        }
        try await expectNothing("removals") { try await store.remove("1", of: user).count }
        try await expectNothing("removals in an app") {
          try await store.remove("1", in: text).count
        }
        try await expectNothing("leases given back") {
          try await store.giveBack(user, text, text)
          return 0
        }
        try await expectNothing("holdings") {
          try await store.holdings(of: user).associations.count
        }
      }
      for id in badTransactionIDs {
        try await expectNothing("associations") { try await store.associations([id]).count }
        try await expectNothing("claims") { try await store.conflicts(id).count }
        try await expectNothing("removals") { try await store.remove(id).count }
      }
      try expect("the associations", try await store.associations(of: "ann").count, is: 1)
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
