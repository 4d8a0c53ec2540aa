internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum CombinedLaws {
  /// The laws of calls that a store may answer in one exchange with its server.
  static let all: [StoreLaw] = [
    Law("Subscriptions that are missing are inserted before all are found; others stay") { store in
      try await store.save(Sample.subscription("2"))
      try await store.setOwner("member", of: "2", now: Sample.later(1))
      let before = try await store.subscription("2")
      let found = try await store.write {
        try await $0.storedSubscriptions.find(
          ["2", "3", "1"],
          inserting: [
            Sample.subscription("1"), Sample.subscription("2", expires: Sample.days(60)),
          ],
          asOf: Sample.later(60), now: Sample.later(5))
      }
      var inserted = Sample.subscription("1")
      inserted.createdDate = Sample.later(5)
      inserted.updatedDate = Sample.later(5)
      let expected = [StoredSubscription(subscription: inserted, asOf: Sample.later(60))]
      try expect("the rows", found, is: expected + (before.map { [$0] } ?? []))
      let stored = try await store.read { try await $0.storedSubscriptions.find(["1", "2", "3"]) }
      try expect("the rows afterwards", stored, is: found)
    },
    Law("Of 16 that insert one subscription at once one does, and all find that row") { store in
      let found = try await concurrently(16) { number in
        try await store.write {
          try await $0.storedSubscriptions.find(
            ["1"], inserting: [Sample.subscription("1", expires: Sample.days(Double(number)))],
            asOf: Sample.now, now: Sample.now)
        }
      }
      let stored = try await store.subscription("1")
      try expect("different answers", Set(found), is: [stored.map { [$0] } ?? []])
    },
    Law("Subscriptions are found together with memberships as by themselves") { store in
      let ids = ["1000000000000001", "1002"]
      try await fill(store)
      for account in [try Sample.account("first"), try Sample.account("third"), nil] {
        for asked in [ids, Array(ids.prefix(1)), ["404"], []] {
          let apart = try await store.read { records in
            LinkRows(
              subscriptions: try await records.storedSubscriptions.find(asked),
              memberships: try await records.memberships.find(
                account: account, appleSubscriptionIDs: asked))
          }
          let read = try await store.read { try await $0.find(asked, account: account) }
          let locked = try await store.write { try await $0.find(asked, account: account) }
          try expect("the rows", [read, locked], is: [apart, apart])
        }
      }
    },
    Law("Evidence is found together with memberships as by itself") { store in
      let ids = ["1000000000000001", "1002"]
      try await fill(store)
      for asked in [ids, Array(ids.prefix(1)), ["404"], []] {
        for followers in [ids, Array(ids.suffix(1)), []] {
          let apart = try await store.read { records in
            Found(
              try await records.purchases.transactions(of: asked, environment: .production),
              try await records.purchases.renewals(of: asked, environment: .production),
              try await records.memberships.find(account: nil, appleSubscriptionIDs: followers))
          }
          let read = try await store.read { try await Found($0, asked, followers) }
          let locked = try await store.write { try await Found($0, asked, followers) }
          try expect("the rows", [read, locked], is: [apart, apart])
        }
      }
    },
    Law("Renewals are replaced whatever is in the texts of their products") { store in
      let products = [
        "month", "a\"b", "a\\", "{a,b}", "a','b", "[\"a\"]", "NULL", "null", "tab\tline\nend\u{1}",
        "e\u{301}", "\u{E9}", "月", " ",
      ]
      for kept in products {
        for round in [products, [kept]] {
          try await store.renew(round.map { Sample.renewal($0) })
          let found = try await store.renewals()
          let texts = { (products: [String]) in products.map { Array($0.utf8) } }
          try expect(
            "the products", Set(texts(found.compactMap(\.productID))), is: Set(texts(round)))
        }
      }
    },
  ]

  /// Two subscriptions with evidence and memberships, and a membership without.
  private static func fill(_ store: any PurchaseStore) async throws {
    let ids = ["1000000000000001", "1002"]
    for (id, owner) in zip(ids, ["first", "second"]) {
      try await store.save(Sample.subscription(id))
      try await store.setOwner(AccountID(stored: owner), of: id)
      try await store.insert(try Sample.appleMembership(AccountID(stored: owner), of: id))
      try await store.put(
        Sample.transaction("1\(id)", of: id, signed: Sample.now),
        Sample.transaction("2\(id)", of: id, signed: Sample.now))
      try await store.renew(
        [Sample.renewal("month", of: id), Sample.renewal("year", of: id)], of: id)
    }
    try await store.insert(try Sample.membership("third"))
  }
}

/// Evidence, which comes in no order.
private struct Found: Hashable, Sendable {
  let transactions: Set<PurchaseRecord>
  let renewals: Set<RenewalRecord>
  let memberships: [Membership]

  init(
    _ transactions: [PurchaseRecord], _ renewals: [RenewalRecord], _ memberships: [Membership]
  ) {
    self.transactions = Set(transactions)
    self.renewals = Set(renewals)
    self.memberships = memberships
  }

  init(_ records: UnitOfWork, _ ids: [String], _ followers: [String]) async throws {
    let rows = try await records.findEvidence(
      of: ids, environment: .production, membershipsOf: followers)
    self.init(rows.transactions, rows.renewals, rows.memberships)
  }
}
