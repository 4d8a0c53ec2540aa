internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = EntitlementSample

enum AcquisitionLaws {
  /// The laws of acquired products.
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
