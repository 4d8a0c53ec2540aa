internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = EntitlementSample

enum UnansweredLaws {
  /// The laws of the purchases whose state could not be learned.
  static let all: [StoreLaw] = [
    Law("The first failure of a purchase stays until it ends, and the next one begins anew") {
      store in
      try await store.note(purchase("1", 1.002), purchase("2", 2))
      try await store.note(purchase("1", 0), purchase("1", 9), purchase("3", 3))
      try await expectUnanswered(store, [purchase("1", 1.002), purchase("2", 2), purchase("3", 3)])
      try await store.endFailures("1", "404")
      try await expectUnanswered(store, [purchase("2", 2), purchase("3", 3)])
      try await store.note(purchase("1", 9))
      try await expectUnanswered(store, [purchase("1", 9), purchase("2", 2), purchase("3", 3)])
      try await store.endFailures("1", "2", "3")
      try await expectUnanswered(store, [])
    },
    Law("The failure of a purchase is of its environment only") { store in
      try await store.note(purchase("1", 1), purchase("1", 2, in: .sandbox))
      try await expectUnanswered(store, [purchase("1", 1)])
      try await store.endFailures("1", in: .sandbox)
      try await expectUnanswered(store, [], in: .sandbox)
      try await expectUnanswered(store, [purchase("1", 1)])
    },
    Law("Failures that are noted in a unit of work that throws are none") { store in
      do {
        try await store.write { records in
          try await records.validations.note([purchase("1", 1)])
          throw Interruption(number: 1)
        }
      } catch is Interruption {}
      try await expectUnanswered(store, [])
    },
  ]

  private static func purchase(
    _ id: String, _ seconds: Double, in environment: AppStoreEnvironment = .production
  ) -> UnansweredPurchase {
    UnansweredPurchase(
      environment: environment, originalTransactionID: id,
      firstFailureDate: ContractSample.later(seconds))
  }

  private static func expectUnanswered(
    _ store: any PurchaseStore, _ purchases: [UnansweredPurchase],
    in environment: AppStoreEnvironment = .production
  ) async throws {
    let found = try await store.read {
      try await $0.validations.unanswered(["1", "2", "3", "2", "404"], environment: environment)
    }
    try expect(
      "the purchases", found.sorted { $0.originalTransactionID < $1.originalTransactionID },
      is: purchases)
  }
}

extension PurchaseStore {
  /// Notes failures, in a unit of work of their own.
  func note(_ purchases: UnansweredPurchase...) async throws {
    try await write { try await $0.validations.note(purchases) }
  }

  fileprivate func endFailures(
    _ ids: String..., in environment: AppStoreEnvironment = .production
  ) async throws {
    try await write { try await $0.validations.endFailures(of: ids, environment: environment) }
  }
}
