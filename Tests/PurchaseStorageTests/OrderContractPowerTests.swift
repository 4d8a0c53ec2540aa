import InMemoryStorage
import PurchaseStorage
import StorekeeperTesting
import Testing

@Suite("The contract of a store of orders can fail")
struct OrderContractPowerTests {
  @Test("each fault breaks the law that forbids it", arguments: faults)
  func fault(_ fault: OrderFault, _ name: String) async throws {
    let contract = PurchaseStoreContract([.orders]) {
      WrappedStore(InMemoryPurchaseStore()) { unit in
        var unit = unit
        unit.orders = unit.orders.map { BrokenOrders(base: $0, fault: fault) }
        return unit
      }
    }
    let law = try #require(
      contract.laws.first { $0.name == name }, "there is no law of this name")
    let violation = try await #require(throws: ContractViolation.self) { try await law.check() }
    #expect(violation.law == name)
  }

  @Test("every law has a name of its own")
  func names() {
    let names = PurchaseStoreContract([.orders], reopen: { $0 }) { InMemoryPurchaseStore() }.laws
      .map(\.name)
    #expect(Set(names).count == names.count)
  }

  static let faults: [(OrderFault, String)] = [
    (.levelsAreForgotten, "Levels are read as they were stored, in the order of fee and name"),
    (.feesAreRounded, "Levels are read as they were stored, in the order of fee and name"),
    (
      .levelsAreAdded,
      "Levels take the place of all that were stored before, also with the same products"
    ),
    (
      .additionsReplace,
      "A subscription is not added to one that is there, but replaces it if it is saved"
    ),
    (.additionsAlwaysSucceed, "Of 16 subscriptions that are added for a user at once one is"),
    (
      .savesAreForgotten,
      "A user's subscription is read as it was added, with dates in milliseconds"
    ),
    (
      .environmentsAreForgotten,
      "A user's subscription is read as it was added, with dates in milliseconds"
    ),
    (
      .environmentsAreForgotten,
      "A subscription is not added to one that is there, but replaces it if it is saved"
    ),
    (.removalsAreForgotten, "A subscription is removed once, and can be added again"),
    (
      .namesAreRepeated,
      "The names of levels in use come once each, in the order of their bytes"
    ),
    (
      .lastClaimWins,
      "A purchase keeps its first user, and who claims it is told who that is"
    ),
    (.everyClaimSucceeds, "Of two users who order with a purchase at once one gets it, 50 times"),
    (
      .vendorsAreMixed,
      "A purchase keeps its first user, and who claims it is told who that is"
    ),
    (
      .environmentsOfClaimsAreMixed,
      "Apple's environments have purchases of their own, and Google's have the same"
    ),
    (
      .claimsEndWithSubscriptions,
      "A claim outlasts the subscription that rests on it"
    ),
    (
      .removedClaimsStay,
      "A claim that is removed leaves the purchase to the next user"
    ),
    (
      .transfersAreForgotten,
      "A claim moves to another user in place, and one that nobody has stays so"
    ),
    (.messagesAreForgotten, "A message is recorded once"),
    (.newMessagesAreRemoved, "Old messages are removed, oldest first"),
  ]
}
