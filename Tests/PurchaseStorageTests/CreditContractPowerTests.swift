import CreditPolicy
import InMemoryStorage
import PurchaseStorage
import StorekeeperTesting
import Testing

/// A store of credits with one thing wrong, and the law that has to notice.
struct BrokenCreditCase: Sendable, CustomStringConvertible {
  let fault: String
  let law: String
  let change: @Sendable (inout BrokenCreditRecords) -> Void

  init(
    _ fault: String, _ law: String,
    breaking change: @escaping @Sendable (inout BrokenCreditRecords) -> Void
  ) {
    self.fault = fault
    self.law = law
    self.change = change
  }

  var description: String { fault }
}

@Suite("The contract of a store of credits can fail")
struct CreditContractPowerTests {
  @Test("each fault breaks the law that forbids it", arguments: cases)
  func fault(_ broken: BrokenCreditCase) async throws {
    let contract = PurchaseStoreContract([.credits]) {
      WrappedStore(InMemoryPurchaseStore()) { unit in
        var unit = unit
        unit.credits = unit.credits.map { BrokenCreditRecords($0, broken.change) }
        return unit
      }
    }
    let law = try #require(
      contract.laws.first { $0.name == broken.law }, "there is no law of this name")
    let violation = try await #require(throws: ContractViolation.self) { try await law.check() }
    #expect(violation.law == broken.law)
  }

  @Test("every law has a name of its own")
  func names() {
    let names = PurchaseStoreContract([.credits], reopen: { $0 }) { InMemoryPurchaseStore() }.laws
      .map(\.name)
    #expect(Set(names).count == names.count)
  }

  static let cases = [
    BrokenCreditCase("books an event twice", "An event is booked once in each environment") {
      $0.creditLedger = BrokenCreditLedger(base: $0.creditLedger, areEventsForgotten: true)
    },
    BrokenCreditCase(
      "books a race twice", "Of 16 bookings of one event at once one is made"
    ) { $0.creditLedger = BrokenCreditLedger(base: $0.creditLedger, areEventsForgotten: true) },
    BrokenCreditCase(
      "takes what there is", "A booking that would take more than there is changes nothing"
    ) { $0.creditLedger = BrokenCreditLedger(base: $0.creditLedger, isShortfallTaken: true) },
    BrokenCreditCase(
      "spends too often", "32 users who spend at once never spend more than there is"
    ) { $0.creditLedger = BrokenCreditLedger(base: $0.creditLedger, isShortfallTaken: true) },
    BrokenCreditCase(
      "cuts what is too much", "A balance of 64 bits is kept exactly, and a greater one is refused"
    ) { $0.creditLedger = BrokenCreditLedger(base: $0.creditLedger, isOverflowCut: true) },
    BrokenCreditCase(
      "forgets metadata",
      "An entry is read as it was booked, with its metadata and the date in milliseconds"
    ) { $0.creditLedger = BrokenCreditLedger(base: $0.creditLedger, isMetadataForgotten: true) },
    BrokenCreditCase(
      "lists the oldest first",
      "A user's entries come with the newest first, page by page, and are counted"
    ) { $0.creditLedger = BrokenCreditLedger(base: $0.creditLedger, isOrderReversed: true) },
    BrokenCreditCase(
      "walks past a user",
      "An audit walks all entries by the bytes of the user, then by number, or a user's"
    ) { $0.ledgerAudit = BrokenLedgerAudit(base: $0.ledgerAudit, isWalkCut: true) },
    BrokenCreditCase(
      "trusts every entry",
      "An audit counts all entries and transactions, and calls those doubtful that are wrong"
    ) { $0.ledgerAudit = BrokenLedgerAudit(base: $0.ledgerAudit, isTrusting: true) },
    BrokenCreditCase(
      "keeps one transaction twice",
      "Environment and identifier of a credit transaction are unique"
    ) {
      $0.creditTransactions = BrokenCreditTransactions(
        base: $0.creditTransactions, isDuplicateIgnored: true)
    },
    BrokenCreditCase(
      "inserts a race twice",
      "Of 16 units of work that insert one credit transaction at once one succeeds"
    ) {
      $0.creditTransactions = BrokenCreditTransactions(
        base: $0.creditTransactions, isDuplicateIgnored: true)
    },
    BrokenCreditCase(
      "forgets updates", "An update replaces every value except environment and identifier"
    ) {
      $0.creditTransactions = BrokenCreditTransactions(
        base: $0.creditTransactions, isUpdateForgotten: true)
    },
    BrokenCreditCase(
      "forgets rounds", "A credit transaction is read as it was stored, and has a number"
    ) {
      $0.creditTransactions = BrokenCreditTransactions(
        base: $0.creditTransactions, isRoundForgotten: true)
    },
    BrokenCreditCase("marks twice", "An identity is marked once, and its first mark stays") {
      $0.starterClaims = TrustingStarterClaims(base: $0.starterClaims)
    },
    BrokenCreditCase("marks a race twice", "Of 16 marks of one identity at once one is made") {
      $0.starterClaims = TrustingStarterClaims(base: $0.starterClaims)
    },
    BrokenCreditCase(
      "every notification is new", "A notification for credits is read as it was recorded, once"
    ) { $0.creditNotifications = ForgetfulCreditNotifications(base: $0.creditNotifications) },
  ]
}
