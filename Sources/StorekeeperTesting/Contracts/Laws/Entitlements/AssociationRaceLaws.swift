internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = EntitlementSample

enum AssociationRaceLaws {
  /// The laws of associations and acquisitions at the same moment.
  static let all: [StoreLaw] = [
    Law("Of two users who claim a purchase at once one gets it, 50 times") { store in
      try await StoreHandles(store).expectOneOwner()
    },
    Law("Of 8 users who claim the same purchases at once, in any order, one gets all") { store in
      let ids = (1...12).map(String.init)
      let answers = try await concurrently(8) { number in
        let user = AccountID(stored: "user-\(number)")
        let rows = (number.isMultiple(of: 2) ? ids : ids.reversed())
          .map { Sample.association($0, of: user) }
        return try await store.write { try await $0.associations.add(rows) }
      }
      let stored = try await store.associations(ids)
      try expect("the number of owners", Set(stored.map(\.userID)).count, is: 1)
      for answer in answers { try expect("what is stored then", answer, is: stored) }
    },
    Law("A claim that is undone leaves the purchase to the next user") { store in
      let written = ContractGate()
      async let undone: Void = store.write { records in
        _ = try await records.associations.add([Sample.association("1", of: "ben")])
        written.open()
        for _ in 0..<100 { await Task.yield() }
        throw Interruption()
      }
      await written.wait()
      let row = Sample.association("1")
      try expect("what is stored then", try await store.add(row), is: [row])
      do { try await undone } catch is Interruption {}
      try expect("the association", try await store.association("1"), is: row)
    },
    Law("An association that is found in a unit of work that writes stays until its end") { store in
      try await store.add(Sample.association("1", at: Sample.now))
      _ = try await concurrently(16) { _ in
        try await store.write { records in
          let found = try await records.associations.find(["1"], environment: .production)
          await Task.yield()
          let row = try unwrap("the association", found.first)
          try await records.associations.replace(changed(row) { $0.associatedDate += 1 })
        }
      }
      try expect(
        "the date", try await store.association("1")?.associatedDate, is: ContractSample.later(16))
    },
    Law("Of 50 equal acquisitions at once one is told that it added the product") { store in
      try await StoreHandles(store).expectOneAcquisition()
    },
    Law("Of acquisitions that overlap at once each product is added by one") { store in
      let ids = (0..<40).map { "com.example.feature.\($0)" }
      let told = try await concurrently(16) { number in
        let own = ids.indices.filter { ($0 + number) % 3 != 0 }.map { ids[$0] }
        return try await store.acquire(
          (number.isMultiple(of: 2) ? own : own.reversed()).map { Sample.product($0) })
      }
      try expect("the products", told.flatMap { $0 }.sorted(), is: ids.sorted())
      try expect("the rows", try await store.acquired().map(\.productID), is: ids.sorted())
    },
  ]
}

extension StoreHandles {
  func expectOneOwner() async throws {
    for number in 1...50 {
      let answers = try await concurrently(2) { index in
        let user: AccountID = index == 0 ? "ann" : "ben"
        return try await self[index].add(EntitlementSample.association("\(number)", of: user))
      }
      let stored = try await self[number].associations(["\(number)"])
      try expect("the number of owners", stored.count, is: 1)
      for answer in answers { try expect("what is stored then", answer, is: stored) }
    }
  }

  func expectOneAcquisition() async throws {
    let told = try await concurrently(50) { number in
      try await self[number].acquire([EntitlementSample.product("brushes")])
    }
    try expect("those who were told", told.filter { !$0.isEmpty }, is: [["brushes"]])
    try expect("the rows", try await self[0].acquired().map(\.productID), is: ["brushes"])
  }

  func expectValidationLeasesAreApart() async throws {
    for number in 0..<60 {
      try await self[number].save(
        EntitlementSample.state(-Double(number)), of: AccountID(stored: "user-\(number)"))
    }
    try await expectApart { try await self[$0].leasedUsers("worker-\($0)", limit: 4) }
  }
}

enum SharedEntitlementLaws {
  /// The laws of two handles to the same data, such as those of two processes.
  static let all: [Law<StoreHandles>] = [
    Law("What one handle has associated, acquired and saved the other sees") { handles in
      try await handles[0].add(Sample.association("1"))
      try await handles[0].acquire([Sample.product("brushes")])
      try await handles[0].save(Sample.state(60))
      let rows = try await handles[1].holdings()
      try expect("the associations", rows.associations, is: [Sample.association("1")])
      try expect("the acquired", rows.acquired, is: [Sample.product("brushes")])
      try expect("the validations", rows.validations, is: [Sample.state(60)])
    },
    Law("Of two users of two handles who claim a purchase at once one gets it, 50 times") {
      handles in try await handles.expectOneOwner()
    },
    Law("Of 50 equal acquisitions by two handles one is told that it added the product") {
      handles in try await handles.expectOneAcquisition()
    },
    Law("8 workers with two handles never lease the same validation, and together get all") {
      handles in try await handles.expectValidationLeasesAreApart()
    },
  ]
}
