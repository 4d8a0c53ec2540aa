import InMemoryStorage
import PurchaseStorage
import StorekeeperTesting
import Testing

@Suite("The contract of a store of entitlements can fail")
struct EntitlementContractPowerTests {
  @Test("each fault breaks the law that forbids it", arguments: faults)
  func fault(_ fault: EntitlementFault, _ law: String) async throws {
    try await expectViolation(
      of: law,
      in: PurchaseStoreContract([.entitlements]) {
        WrappedStore(InMemoryPurchaseStore()) { unit in
          var unit = unit
          unit.entitlements = unit.entitlements.map { BrokenEntitlements(base: $0, fault: fault) }
          return unit
        }
      })
  }

  @Test("a store that keeps what a failed unit of work wrote breaks the law that forbids it")
  func rollback() async throws {
    try await expectViolation(
      of: "A unit of work that throws keeps nothing of the entitlements that it wrote",
      in: PurchaseStoreContract([.entitlements]) { StoreWithoutRollback() })
  }

  @Test("every law has a name of its own")
  func names() {
    let names = PurchaseStoreContract([.entitlements], reopen: { $0 }) { InMemoryPurchaseStore() }
      .laws.map(
        \.name)
    #expect(Set(names).count == names.count)
  }

  private func expectViolation(of name: String, in contract: PurchaseStoreContract) async throws {
    let law = try #require(
      contract.laws.first { $0.name == name }, "there is no law of this name")
    let violation = try await #require(throws: ContractViolation.self) { try await law.check() }
    #expect(violation.law == name)
  }

  static let faults: [(EntitlementFault, String)] = [
    (
      .lastOwnerWins,
      "A purchase keeps its first owner, and who adds it is told what is stored"
    ),
    (.everyClaimSucceeds, "Of two users who claim a purchase at once one gets it, 50 times"),
    (.lastOwnerWins, "Of two users who claim a purchase at once one gets it, 50 times"),
    (
      .ownersAreUnsorted,
      "Associations are found once each, in the order of their identifiers' bytes"
    ),
    (
      .appsLookAlike,
      "Users, apps and products that look the same, but have other bytes, are different"
    ),
    (
      .anyoneRemoves, "A purchase is removed from its user in its app only, in each environment"
    ),
    (
      .replacementsAreForgotten,
      "A replacement changes user, app, date and evidence, or adds the association"
    ),
    (
      .appsAreIgnored,
      "A user's associations in some apps are those of no other user and no other app"
    ),
    (.claimsAreReversed, "Claims to a purchase come in the order in which they were recorded"),
    (.newestClaimsAreReversed, "The newest claims of a user come first"),
    (.acquisitionsAreRepeated, "A product is acquired once, and its first acquisition stays"),
    (
      .acquisitionsAreRepeated,
      "Of 50 equal acquisitions at once one is told that it added the product"
    ),
    (
      .productsAreUnsorted,
      "Acquired products are read as they were added, in the order of their bytes"
    ),
    (
      .failuresAreForgotten,
      "A state of validation is read as it was saved, with its dates in milliseconds"
    ),
    (
      .leasesAreForgotten,
      "A leased validation is given to no other worker, and is free when the lease ends"
    ),
    (
      .leasesAreUnsorted,
      "Due validations come with the longest due first, then by user and app, to the limit"
    ),
    (.leasesOutlastStates, "A state that is saved ends the lease"),
    (.anyoneGivesBack, "A lease is given back by the worker that has it only"),
    (
      .nobodyGivesBack,
      "A lease that is given back is free at once, and the state stays as it was"
    ),
    (
      .everybodyIsDue,
      "Due validations are leased as they are stored, from the moment they are due"
    ),
    (
      .firstStateIsOverwritten, "A state is locked as it is stored, or added without dates"
    ),
    (
      .anyonePostpones,
      "A leased validation is put off by its worker only, and nothing else of it changes"
    ),
    (
      .postponingWritesBack,
      "A leased validation is put off by its worker only, and nothing else of it changes"
    ),
    (
      .lastFailureStays,
      "The first failure of a purchase stays until it ends, and the next one begins anew"
    ),
    (
      .failuresNeverEnd,
      "The first failure of a purchase stays until it ends, and the next one begins anew"
    ),
    (.failuresAreOfAllEnvironments, "The failure of a purchase is of its environment only"),
    (
      .failuresNeverEnd,
      "Holdings are a user's associations, evidence, acquired products and validations"
    ),
    (.firstAppOnly, "Holdings of several apps have the acquired products of the first"),
    (
      .evidenceIsForgotten,
      "Holdings are a user's associations, evidence, acquired products and validations"
    ),
    (
      .environmentsAreMixed,
      "Holdings are what the repositories answer one after the other, for every user"
    ),
  ]
}
