internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = EntitlementSample

enum HoldingLaws {
  /// The laws of everything that is stored about a user.
  static let all: [StoreLaw] = [
    Law("Holdings are a user's associations, evidence, acquired products and validations") {
      store in
      try await store.writeHoldings()
      let rows = try await store.holdings()
      try expect(
        "the associations", rows.associations.sorted { $0.isBefore($1) },
        is: [Sample.association("1"), Sample.association("2", environment: .sandbox)])
      try expect(
        "the transactions", Set(rows.transactions),
        is: [
          Sample.transaction("11", of: "1"), Sample.transaction("12", of: "1"),
          Sample.transaction("21", of: "2", environment: .sandbox),
        ])
      try expect("the number of transactions", rows.transactions.count, is: 3)
      try expect("the products that renew", rows.renewals.map(\.productID), is: ["month"])
      try expect("the environments", rows.renewals.map(\.environment), is: [.production])
      try expect("the unanswered", rows.unanswered, is: [unanswered("1")])
      try expect("the acquired", rows.acquired, is: [Sample.product("brushes")])
      try expect("the validations", rows.validations, is: [Sample.state(60)])
    },
    Law("Holdings of several apps have the acquired products of the first") { store in
      try await store.writeHoldings()
      let rows = try await store.holdings(in: [Sample.paint, Sample.draw])
      try expect(
        "the associations", Set(rows.associations.map(\.originalTransactionID)),
        is: ["1", "2", "3"])
      try expect(
        "the transactions", rows.transactions.map(\.transactionID).sorted(),
        is: ["11", "12", "21", "31"])
      try expect("the acquired", rows.acquired, is: [Sample.product("frames")])
      try expect(
        "the validations", Set(rows.validations),
        is: [Sample.state(60), Sample.state(90, in: Sample.paint)])
    },
    Law("Holdings are what the repositories answer one after the other, for every user") { store in
      try await store.writeHoldings()
      for user in ["ann", "anna", "ann ", "ben", "an", "", "a\u{0}"] {
        for bundleIDs in [
          [Sample.draw], [Sample.paint], [Sample.draw, Sample.paint],
          [Sample.paint, Sample.draw, Sample.paint], ["com.example"], ["", Sample.draw], [],
          [Sample.draw, "a\u{0}"],
        ] { try await store.expectHoldings(of: AccountID(stored: user), in: bundleIDs) }
      }
    },
    Law("Holdings of a user without rows are empty") { store in
      try await store.recordTransactions(Sample.transaction("11", of: "1"))
      let rows = try await store.holdings(in: [Sample.draw, Sample.paint])
      try expect("the associations", rows.associations, is: [])
      try expect("the transactions", rows.transactions, is: [])
      try expect("the renewals", rows.renewals, is: [])
      try expect("the unanswered", rows.unanswered, is: [])
      try expect("the acquired", rows.acquired, is: [])
      try expect("the validations", rows.validations, is: [])
    },
  ]
}

private func unanswered(_ id: String) -> UnansweredPurchase {
  UnansweredPurchase(
    environment: .production, originalTransactionID: id,
    firstFailureDate: ContractSample.later(4.005))
}

extension PurchaseStore {
  /// Writes rows of Ann in two apps, and rows of others that are alike.
  fileprivate func writeHoldings() async throws {
    try await add(
      Sample.association("1"), Sample.association("2", environment: .sandbox),
      Sample.association("3", in: Sample.paint),
      Sample.association("1", of: "ben", environment: .sandbox),
      Sample.association("4", of: "anna"), Sample.association("5", of: AccountID(stored: "ann ")))
    try await recordTransactions(
      Sample.transaction("11", of: "1"), Sample.transaction("12", of: "1"),
      Sample.transaction("11", of: "1", environment: .sandbox),
      Sample.transaction("21", of: "2", environment: .sandbox), Sample.transaction("22", of: "2"),
      Sample.transaction("31", of: "3"), Sample.transaction("41", of: "4"),
      Sample.transaction("61", of: "6"))
    for (id, environment) in [
      ("1", AppStoreEnvironment.production), ("1", .sandbox), ("3", .production),
      ("4", .production), ("6", .production),
    ] {
      try await renew([ContractSample.renewal("month", of: id)], of: id, environment: environment)
    }
    try await note(
      unanswered("1"), unanswered("2"), unanswered("3"), unanswered("4"), unanswered("6"))
    try await acquire([Sample.product("brushes")])
    try await acquire([Sample.product("frames")], in: Sample.paint)
    try await acquire([Sample.product("paper")], for: "anna")
    try await save(Sample.state(60))
    try await save(Sample.state(90, in: Sample.paint))
    try await save(Sample.state(nil), of: "anna")
  }

  /// What is read at once is what is read one after the other.
  func expectHoldings(of userID: AccountID, in bundleIDs: [String]) async throws {
    let (found, expected) = try await read { records in
      (
        try await records.holdings(of: userID, in: bundleIDs),
        try await SeparateHoldings(
          associations: records.associations, acquisitions: records.acquisitions,
          validations: records.validations
        ).holdings(of: userID, in: bundleIDs, purchases: records.purchases)
      )
    }
    let texts = "of \(named(userID.rawValue)) in \(bundleIDs.map(named))"
    func expectSame<Row: Hashable>(_ rows: KeyPath<HoldingRows, [Row]>, _ what: String) throws {
      let (found, expected) = (found[keyPath: rows], expected[keyPath: rows])
      try expect("the \(what) \(texts)", Set(found), is: Set(expected))
      try expect("the number of \(what) \(texts)", found.count, is: expected.count)
    }
    try expectSame(\.associations, "associations")
    try expectSame(\.transactions, "transactions")
    try expectSame(\.renewals, "renewals")
    try expectSame(\.unanswered, "unanswered purchases")
    try expectSame(\.acquired, "acquired products")
    try expectSame(\.validations, "validations")
  }
}

/// Records of entitlements whose holdings are asked for one after the other.
private struct SeparateHoldings: EntitlementRecords {
  let associations: any AssociationRepository
  let acquisitions: any AcquisitionRepository
  let validations: any ValidationRepository
}

/// A short name for a long text.
private func named(_ text: String) -> String {
  text.utf8.count > 40 ? "of \(text.utf8.count) bytes" : text.debugDescription
}
