internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = EntitlementSample

enum AssociationLaws {
  /// The laws of associations and of the claims of others.
  static let all: [StoreLaw] = [
    Law("An association is read as it was added, with its date in milliseconds") { store in
      for (number, evidence) in [
        PurchaseAssociation.Evidence.receipt, .signedTransaction, .appAccountToken,
      ].enumerated() {
        let environment = number == 1 ? AppStoreEnvironment.sandbox : .production
        let row = Sample.association(
          "100\(number)", environment: environment, at: ContractSample.later(0.001), by: evidence)
        try expect("what is stored then", try await store.add(row), is: [row])
        try expect(
          "the association",
          try await store.association(row.originalTransactionID, environment: environment), is: row)
        try expect(
          "none of the other environment",
          try await store.association(
            row.originalTransactionID, environment: number == 1 ? .production : .sandbox) == nil)
      }
    },
    Law("Associations are found once each, in the order of their identifiers' bytes") { store in
      let rows = ["9", "10", "1", "100"].map { Sample.association($0) }
      try await store.write { _ = try await $0.associations.add(rows) }
      try expect(
        "the identifiers",
        try await store.associations(["9", "77", "10", "9", "1"]).map(\.originalTransactionID),
        is: ["1", "10", "9"])
      let locked = try await store.write {
        try await $0.associations.find(["100", "9", "1"], environment: .production)
      }
      try expect("the locked", locked.map(\.originalTransactionID), is: ["1", "100", "9"])
      try expect("none", try await store.associations([]), is: [])
    },
    Law("A purchase keeps its first owner, and who adds it is told what is stored") { store in
      let first = [Sample.association("10"), Sample.association("9", environment: .sandbox)]
      try await store.write { _ = try await $0.associations.add(first) }
      let others = [
        Sample.association("9", of: "ben", environment: .sandbox),
        Sample.association("9", of: "ben"), Sample.association("10", of: "ben"),
        Sample.association("1", of: "ben"), Sample.association("1", of: "cid"),
      ]
      let stored = try await store.write { try await $0.associations.add(others) }
      let expected = [others[3], first[0], others[1], first[1]]
      try expect("what is stored then", stored, is: expected)
      try expect(
        "no associations", try await store.write { try await $0.associations.add([]) }, is: [])
      try expect("Ben's", try await store.associations(of: "ben"), is: [others[3], others[1]])
      try expect("Ann's", try await store.associations(of: "ann"), is: first)
      try expect("Cid's", try await store.associations(of: "cid"), is: [])
    },
    Law("A replacement changes user, app, date and evidence, or adds the association") { store in
      try await store.add(Sample.association("1"), Sample.association("1", environment: .sandbox))
      let row = Sample.association(
        "1", of: "ben", in: Sample.paint, at: ContractSample.later(7.125), by: .appAccountToken)
      try await store.replace(row)
      try expect("the association", try await store.association("1"), is: row)
      try expect(
        "that of the other environment",
        try await store.association("1", environment: .sandbox),
        is: Sample.association("1", environment: .sandbox))
      try expect(
        "Ann's", try await store.associations(of: "ann").map(\.environment), is: [.sandbox])
      try expect("Ben's", try await store.associations(of: "ben", in: [Sample.paint]), is: [row])
      try await store.replace(Sample.association("2"))
      try expect("the added", try await store.association("2"), is: Sample.association("2"))
    },
    Law("A purchase is removed from its user in its app only, in each environment") { store in
      let rows = [
        Sample.association("1"), Sample.association("1", environment: .sandbox),
        Sample.association("2"),
      ]
      try await store.write { _ = try await $0.associations.add(rows.reversed()) }
      try expect("removed from another user", try await store.remove("1", of: "ann2"), is: [])
      try expect("removed in another app", try await store.remove("1", in: Sample.paint), is: [])
      try expect("another purchase", try await store.remove("3"), is: [])
      try expect("the removed", try await store.remove("1"), is: [rows[0], rows[1]])
      try expect("removed again", try await store.remove("1"), is: [])
      try expect("what is left", try await store.associations(of: "ann"), is: [rows[2]])
      try await store.add(Sample.association("1", of: "ben"))
      try expect("the next owner", try await store.association("1")?.userID, is: "ben")
      try expect("removed from the last", try await store.remove("1"), is: [])
    },
    Law("A user's associations in some apps are those of no other user and no other app") { store in
      let rows = [
        Sample.association("1"), Sample.association("2", environment: .sandbox),
        Sample.association("3", in: Sample.paint),
      ]
      let others = [
        Sample.association("4", of: "an"), Sample.association("5", of: "anna"),
        Sample.association("6", of: "ANN"),
        Sample.association("7", of: AccountID(stored: "ann "), in: Sample.paint),
        Sample.association("8", in: "com.example.dra"),
      ]
      try await store.write { _ = try await $0.associations.add(rows + others) }
      try expect("in one app", try await store.associations(of: "ann"), is: [rows[0], rows[1]])
      try expect(
        "in two apps",
        try await store.associations(of: "ann", in: [Sample.paint, Sample.draw, Sample.paint]),
        is: [rows[0], rows[2], rows[1]])
      try expect("in no app", try await store.associations(of: "ann", in: []), is: [])
      try expect("nobody's", try await store.associations(of: "dan"), is: [])
    },
    Law("Claims to a purchase come in the order in which they were recorded") { store in
      let rows = [
        Sample.conflict("1", claimant: "cid", at: ContractSample.later(9.5)),
        Sample.conflict("1", claimant: "ben", at: ContractSample.later(3.25)),
        Sample.conflict("1", claimant: "ben", at: ContractSample.later(3.25)),
        Sample.conflict("1", owner: "ben", claimant: "ann", at: ContractSample.later(5)),
      ]
      try await store.record(rows[0], Sample.conflict("10"), rows[1], rows[2], rows[3])
      try expect("the claims", try await store.conflicts("1"), is: rows)
      try expect("claims to another", try await store.conflicts("100"), is: [])
    },
    Law("The newest claims of a user come first") { store in
      let long = AccountID(stored: String(repeating: "l", count: 128))
      let rows = [
        Sample.conflict("2", claimant: "cid", at: ContractSample.later(9.5)),
        Sample.conflict("1", claimant: "cid", at: ContractSample.later(3.25)),
        Sample.conflict("3", owner: "cid", claimant: long, at: ContractSample.later(5)),
      ]
      try await store.record(rows[0], Sample.conflict("10"), rows[1], rows[2])
      try expect(
        "the claims", try await store.conflicts(of: "cid", limit: 9), is: [rows[1], rows[0]])
      try expect("one of them", try await store.conflicts(of: "cid", limit: 1), is: [rows[1]])
      try expect("of a long name", try await store.conflicts(of: long, limit: 9), is: [rows[2]])
      try expect("an owner's", try await store.conflicts(of: "ann", limit: 9), is: [])
      try expect("none of them", try await store.conflicts(of: "cid", limit: 0), is: [])
    },
  ]
}

enum AcquisitionLaws {
  static let all: [StoreLaw] = [
    Law("Acquired products are read as they were added, in the order of their bytes") { store in
      let products = [
        Sample.product("b", at: ContractSample.later(0.001), via: "lite"), Sample.product("a"),
        Sample.product("é"), Sample.product("Z", at: ContractSample.days(-3)),
        Sample.product("a.b"),
      ]
      let order = ["Z", "a", "a.b", "b", "é"]
      try expect("the added", try await store.acquire(products), is: order)
      let stored = try await store.acquired()
      try expect("the products", stored.map(\.productID), is: order)
      try expect("the rows", Set(stored), is: Set(products))
    },
    Law("A product is acquired once, and its first acquisition stays") { store in
      try await store.acquire([Sample.product("brushes")])
      let again = Sample.product("brushes", at: ContractSample.days(9), via: "lite")
      try expect("added again", try await store.acquire([again]), is: [])
      let more = [
        Sample.product("paper", via: "lite"), again, Sample.product("frames"),
        Sample.product("paper", via: "full"),
      ]
      try expect("the added", try await store.acquire(more), is: ["frames", "paper"])
      try expect("added at last", try await store.acquire(more), is: [])
      try expect("no products", try await store.acquire([]), is: [])
      try expect(
        "the rows", try await store.acquired(),
        is: [Sample.product("brushes"), more[2], more[0]])
    },
    Law("Acquired products of users and apps are kept apart") { store in
      try await store.acquire([Sample.product("a")])
      try await store.acquire([Sample.product("b")], in: Sample.paint)
      try await store.acquire([Sample.product("c"), Sample.product("a")], for: "anna")
      try await store.acquire([Sample.product("d")], for: AccountID(stored: "ann "))
      func products(_ userID: AccountID, _ bundleID: String = Sample.draw) async throws -> [String]
      {
        try await store.acquired(by: userID, in: bundleID).map(\.productID)
      }
      try expect("Ann's", try await products("ann"), is: ["a"])
      try expect("Ann's of the other app", try await products("ann", Sample.paint), is: ["b"])
      try expect("Anna's", try await products("anna"), is: ["a", "c"])
      try expect("Anna's of the other app", try await products("anna", Sample.paint), is: [])
      try expect("nobody's", try await products("an"), is: [])
    },
    Law("3,000 products are acquired in one call, also through several subscriptions") { store in
      let ids = (0..<3000).map { "com.example.feature.\($0)" }
      let products = ids.enumerated().map { number, id in
        Sample.product(id, via: number.isMultiple(of: 100) ? "lite" : "full")
      }
      let added = try await store.acquire(products)
      try expect("the number of added products", added.count, is: 3000)
      try expect("the added", added == ids.sorted(), is: true)
      let stored = try await store.acquired()
      try expect("the rows", Set(stored) == Set(products), is: true)
    },
  ]
}
