import InMemoryStorage
import PurchaseStorage
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("The law of agreement can fail")
struct AgreementPowerTests {
  @Test("each fault of a store is found", arguments: AgreementFault.allCases)
  func fault(_ fault: AgreementFault) async throws {
    let contract = AgreementContract {
      WrappedStore(InMemoryPurchaseStore()) { unit in
        var unit = unit
        switch fault {
        case .refundsAreForgotten, .olderCopiesWin:
          unit = try BrokenRecords(unit) { records in
            var purchases = BrokenPurchases(base: records.purchases)
            purchases.isGuardMissing = fault == .olderCopiesWin
            purchases.areRefundsForgotten = fault == .refundsAreForgotten
            records.purchases = purchases
          }.unit
        case .ordersAreNotUpdated:
          unit.orders = unit.orders.map { BrokenOrders(base: $0, fault: .savesAreForgotten) }
        }
        return unit
      }
    }
    await #expect(throws: ContractViolation.self) {
      try await contract.run(histories: 1000, seed: 1)
    }
  }
}

/// A thing that a store can do wrong, so that two of its capabilities differ, or all three from the truth.
enum AgreementFault: CaseIterable {
  case refundsAreForgotten, olderCopiesWin, ordersAreNotUpdated
}
