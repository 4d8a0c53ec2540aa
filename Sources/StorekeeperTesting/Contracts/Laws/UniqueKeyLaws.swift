internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

/// Two memberships of different accounts that share one value.
private struct SharedValue {
  var field: StorageFailure.UniqueField
  var set: @Sendable (inout Membership) -> Void
}

enum UniqueKeyLaws {
  /// The laws of unique fields.
  static let all: [StoreLaw] =
    sharedValues.map { shared in
      Law("Two memberships never have the same \(shared.field.rawValue), by insert or update") {
        store in
        let first = try await store.insert(
          changed(try Sample.membership("first"), shared.set))
        let second = try await store.insert(try Sample.membership("second"))
        let third = changed(try Sample.membership("third"), shared.set)
        try await expectDuplicate([shared.field]) { try await store.insert(third) }
        // A row keeps its id, so an update cannot take another's.
        if shared.field != .membershipID {
          let thief = changed(second, shared.set)
          try await expectDuplicate([shared.field]) {
            try await store.write { _ = try await $0.memberships.update(thief, previous: second) }
          }
        }
        try expect("the first row", try await store.membership("first"), is: first)
        try expect("the second row", try await store.membership("second"), is: second)
        try expect("no third row", try await store.membership("third") == nil)
      }
    } + [
      Law("An account has one membership") { store in
        for account in [try Sample.account("member"), try Sample.account(nil, secondID: "union")] {
          let row = Membership(account: account)
          try await store.insert(row)
          try await expectDuplicate([.accountID, .primaryID, .secondID]) {
            try await store.insert(row)
          }
          try expect("the rows", try await store.memberships(account).count, is: 1)
        }
      },
      Law("A row cannot move to a compound id that is taken") { store in
        let first = try await store.insert(try Sample.membership("first"))
        let second = try await store.insert(try Sample.membership(nil, secondID: "second"))
        let moved = changed(second) { $0.primaryID = "first" }
        try await expectDuplicate([.accountID, .primaryID]) {
          try await store.write { _ = try await $0.memberships.update(moved, previous: second) }
        }
        try expect("the first row", try await store.membership("first"), is: first)
      },
      Law("A value is free again when its row has changed or gone") { store in
        let first = try await store.insert(try Sample.appleMembership("first", of: "1001"))
        try await store.write { records in
          var freed = first
          freed.originalTransactionID = nil
          _ = try await records.memberships.update(freed, previous: first)
          let second = try await records.memberships.insert(
            try Sample.appleMembership("second", of: "1001"))
          try await records.memberships.delete(second)
          _ = try await records.memberships.insert(
            try Sample.appleMembership("third", of: "1001"))
        }
        try expect(
          "the row", try await store.memberships(nil, apple: ["1001"]).map(\.accountID),
          is: ["third"])
      },
      Law("Several subscriptions may have the same owner") { store in
        for id in ["1001", "1002"] {
          try await store.save(Sample.subscription(id))
          try await store.setOwner("member", of: id)
        }
        let page = try await store.read {
          try await $0.storedSubscriptions.list(owner: "member", offset: 0, limit: 10)
        }
        try expect("the total", page.total, is: 2)
      },
    ]

  private static let sharedValues: [SharedValue] = [
    SharedValue(field: .membershipID) { $0.id = "mmb_000000000001" },
    SharedValue(field: .secondID) { $0.secondID = "union" },
    SharedValue(field: .originalTransactionID) { $0.originalTransactionID = "1000000000000001" },
    SharedValue(field: .providerSubscriptionID) { $0.details.subscriptionID = "sub_1" },
    SharedValue(field: .licenceID) { $0.details.licenceID = "lic_1" },
  ]

  private static func expectDuplicate(
    _ fields: [StorageFailure.UniqueField],
    _ action: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let names = fields.map(\.rawValue).joined(separator: " or ")
    try await expectFailure("StorageFailure.duplicate of \(names)", of: action) { failure in
      fields.contains { failure == .duplicate($0) }
    }
  }
}
