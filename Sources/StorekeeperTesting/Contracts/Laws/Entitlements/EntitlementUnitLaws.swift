internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = EntitlementSample

enum EntitlementUnitLaws {
  /// The laws of units of work with entitlements.
  static let all: [StoreLaw] = [
    Law("A unit of work that throws keeps nothing of the entitlements that it wrote") { store in
      try await store.writeBefore()
      try await store.writeUndone { try await writeAll(in: $0) }
      try await store.expectNothingChanged()
    },
    Law("A unit of work that only reads keeps no entitlements that are written in it") { store in
      try await store.writeBefore()
      do { try await store.read { try await writeAll(in: $0) } } catch is StorageFailure {}
      try await store.expectNothingChanged()
    },
    Law("A unit of work sees the entitlements that it wrote") { store in
      try await store.writeBefore()
      try await store.write { records in
        try await writeAll(in: records)
        try expect(
          "the associations",
          try await records.associations.find(["1", "2", "3"], environment: .production),
          is: [Sample.association("1", of: "ben"), Sample.association("3")])
        try expect(
          "the claims", try await records.associations.conflicts(about: "1"),
          is: [Sample.conflict("1")])
        try expect(
          "the products",
          try await records.acquisitions.products(of: "ann", in: Sample.draw).map(\.productID),
          is: ["brushes", "paper"])
        try expect(
          "the state", try await records.validations.find("ann", bundleID: Sample.draw),
          is: Sample.state(-7))
        let leased = try await records.validations.lease(
          now: Sample.now, until: Sample.now + 1, token: "worker", limit: 5)
        try expect("the leases", leased.map(\.userID), is: ["ann"])
      }
    },
  ]

  private static func writeAll(in records: UnitOfWork) async throws {
    _ = try await records.associations.add([Sample.association("3")])
    try await records.associations.replace(Sample.association("1", of: "ben"))
    _ = try await records.associations.remove(
      originalTransactionID: "2", of: "ann", bundleID: Sample.draw)
    try await records.associations.record(Sample.conflict("1"))
    _ = try await records.acquisitions.add([Sample.product("paper")], to: "ann", in: Sample.draw)
    try await records.validations.save(Sample.state(-7), of: "ann")
  }
}

extension PurchaseStore {
  fileprivate func writeBefore() async throws {
    try await add(Sample.association("1"), Sample.association("2"))
    try await acquire([Sample.product("brushes")])
    try await save(Sample.state())
  }

  fileprivate func expectNothingChanged() async throws {
    try expect(
      "the associations", try await associations(["1", "2", "3"]),
      is: [Sample.association("1"), Sample.association("2")])
    try expect("the claims", try await conflicts("1"), is: [])
    try expect("the products", try await acquired(), is: [Sample.product("brushes")])
    try expect("the state", try await state(), is: Sample.state())
    try expect("no lease", try await leasedUsers(), is: ["ann"])
  }
}
