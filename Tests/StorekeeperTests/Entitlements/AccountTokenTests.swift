import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import Testing

/// A host that makes an app account token for each user.
private struct TokenAccounts: AccountDirectory {
  static let own = UUID()
  static let others = UUID()

  var hasAppAccountTokens: Bool { true }
  func account(_ id: AccountID) -> Account? { Account(id: id) }
  func account(appAccountToken token: UUID) -> Account? {
    switch token {
    case Self.own: Account(id: "u-1")
    case Self.others: Account(id: "u-2")
    default: nil
    }
  }
}

@Suite("Account tokens of purchases", .onEveryStore)
struct EntitlementTokenTests {
  private func scene() async throws -> DrawScene {
    try await DrawScene { $0.accounts = TokenAccounts() }
  }

  @Test("another user's token is refused, even if nobody owns the purchase")
  func mismatch() async throws {
    let scene = try await scene()
    let purchase = try scene.appStore.buy(
      DrawScene.id("frames"), by: "phone", appAccountToken: TokenAccounts.others)
    #expect(
      try await entitlementFailure { try await scene.send(try purchase.signedTransactionInfo) }
        == .accountTokenMismatch)
    #expect(try await scene.association(of: purchase) == nil)
  }

  @Test("either of an account's identifiers is the user's own, for entitlements as for orders")
  func secondIdentifier() async throws {
    let accounts = InMemoryAccountDirectory()
    let token = UUID()
    accounts.add(Account(id: "u-1", secondID: "second"), appAccountToken: token)
    let scene = try await DrawScene { $0.accounts = accounts }
    let purchase = try scene.appStore.buy(
      DrawScene.id("frames"), by: "phone", appAccountToken: token)
    try await scene.send(try purchase.signedTransactionInfo, by: "second")
    #expect(try await scene.association(of: purchase)?.userID == "second")
    let other = try scene.appStore.buy(
      DrawScene.id("paper"), by: "phone", appAccountToken: token)
    try await scene.send(try other.signedTransactionInfo, by: "u-1")
    let third = try scene.appStore.buy(
      DrawScene.id("frames"), by: "other phone", appAccountToken: token)
    #expect(
      try await entitlementFailure {
        try await scene.send(try third.signedTransactionInfo, by: "u-2")
      } == .accountTokenMismatch)
  }

  @Test(
    "what came under one identifier of an account is the account's own under the other",
    arguments: [true, false])
  func sameAccount(hasToken: Bool) async throws {
    let accounts = InMemoryAccountDirectory()
    let token = UUID()
    accounts.add(Account(id: "u-1", secondID: "second"), appAccountToken: token)
    accounts.add(Account(id: "u-2"))
    let scene = try await DrawScene { $0.accounts = accounts }
    let purchase = try scene.appStore.buy(
      DrawScene.id("frames"), by: "phone", appAccountToken: hasToken ? token : nil)
    let evidence = try purchase.signedTransactionInfo
    for id: AccountID in ["u-1", "second", "u-1"] {
      let answer = try await scene.send(evidence, by: id)
      #expect(answer.userID == id && answer.isAssociated)
      #expect(answer.entitlements.allowedProducts == DrawScene.ids("frames"))
      // It stays where it is, so that nobody loses it.
      let association = try await scene.association(of: purchase)
      #expect(association?.userID == "u-1")
      #expect(association?.evidence == (hasToken ? .appAccountToken : .signedTransaction))
    }
    // What comes with the other identifier joins it.
    let paper = try scene.appStore.buy(DrawScene.id("paper"), by: "phone")
    try await scene.send(evidence, try paper.signedTransactionInfo, by: "second")
    #expect(try await scene.allowed() == DrawScene.ids("frames", "paper"))
    #expect(try await scene.conflicts(about: purchase).isEmpty)
    await #expect(throws: EntitlementFailure.self) { try await scene.send(evidence, by: "u-2") }
    #expect(try await scene.association(of: purchase)?.userID == "u-1")
  }

  @Test("the claimant's own token beats an association that was made without one")
  func move() async throws {
    let scene = try await DrawScene()
    let purchase = try scene.appStore.buy(
      DrawScene.id("frames"), by: "phone", appAccountToken: TokenAccounts.own)
    // Before the host knew tokens.
    try await scene.send(try purchase.signedTransactionInfo, by: "u-2")
    let later = try EntitlementService(
      PurchaseContext(
        store: scene.store, accounts: TokenAccounts(), verifier: scene.verifier,
        now: { scene.appStore.now }), apps: { scene.service.apps })
    let evidence = UploadedEvidence(signedTransactions: [try purchase.signedTransactionInfo])
    let answer = try await later.validate(evidence, for: "u-1", in: DrawScene.draw)
    #expect(answer.entitlements.allowedProducts == DrawScene.ids("frames"))
    #expect(try await scene.allowed(of: "u-2").isEmpty)
    let conflicts = try await scene.conflicts(about: purchase)
    #expect(conflicts.map(\.owner) == ["u-2"] && conflicts.map(\.claimant) == ["u-1"])
    #expect(try await scene.association(of: purchase)?.evidence == .appAccountToken)
  }

  @Test("the user's own association without a token becomes one by token")
  func upgrade() async throws {
    let scene = try await DrawScene()
    let purchase = try scene.appStore.buy(
      DrawScene.id("frames"), by: "phone", appAccountToken: TokenAccounts.own)
    try await scene.send(try purchase.signedTransactionInfo)
    #expect(try await scene.association(of: purchase)?.evidence == .signedTransaction)
    let later = try EntitlementService(
      PurchaseContext(
        store: scene.store, accounts: TokenAccounts(), verifier: scene.verifier,
        now: { scene.appStore.now }), apps: { scene.service.apps })
    try await later.validate(
      UploadedEvidence(signedTransactions: [try purchase.signedTransactionInfo]), for: "u-1",
      in: DrawScene.draw)
    #expect(try await scene.association(of: purchase)?.evidence == .appAccountToken)
    #expect(try await scene.conflicts(about: purchase).isEmpty)
  }

  @Test("an association by token stays")
  func stay() async throws {
    let scene = try await scene()
    let purchase = try scene.appStore.buy(
      DrawScene.id("frames"), by: "phone", appAccountToken: TokenAccounts.own)
    try await scene.send(try purchase.signedTransactionInfo)
    #expect(try await scene.association(of: purchase)?.evidence == .appAccountToken)
    #expect(
      try await entitlementFailure {
        try await scene.send(try purchase.signedTransactionInfo, by: "u-2")
      } == .accountTokenMismatch)
  }

  @Test("a token that the host does not know counts as none")
  func unknown() async throws {
    let scene = try await scene()
    let purchase = try scene.appStore.buy(
      DrawScene.id("frames"), by: "phone", appAccountToken: UUID())
    try await scene.send(try purchase.signedTransactionInfo)
    #expect(try await scene.association(of: purchase)?.evidence == .signedTransaction)
  }
}
