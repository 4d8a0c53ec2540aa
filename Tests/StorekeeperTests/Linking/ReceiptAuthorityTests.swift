import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Accounts that link by receipt, where only an expired membership is replaced, and unlink by it.
@Suite("Holding the receipt is the authority", .onEveryStore)
struct ReceiptAuthorityTests {
  private func expiredOnly(_ scene: ServiceScene) -> SubscriptionService {
    var service = scene.service
    service.options.replacement = .expiredOnly
    return service
  }

  @Test("an account with a second identifier only has a membership that nobody can take")
  func secondIDOnly() async throws {
    let scene = try await ServiceScene()
    let service = expiredOnly(scene)
    scene.accounts.add(Account(secondID: "second"))
    let id = try await scene.bought().originalTransactionID
    let membership = try await service.link(primaryID: nil, secondID: "second", to: id)
    #expect(membership.primaryID == nil)
    #expect(membership.secondID == "second")
    #expect(
      try await service.link(primaryID: nil, secondID: "second", to: id) == membership)
    #expect(try await service.subscription(id).owner == nil)
    #expect(
      try await failure { _ = try await service.link("bob", to: id) }
        == .refused(.linkedToOtherAccount))
  }

  @Test("another valid Apple membership refuses, also with force")
  func noForce() async throws {
    let scene = try await ServiceScene()
    let service = expiredOnly(scene)
    let one = try await scene.bought(by: "one").originalTransactionID
    let two = try await scene.bought(by: "two").originalTransactionID
    _ = try await service.link("alice", to: one)
    for force in [false, true] {
      #expect(
        try await failure { _ = try await service.link("alice", to: two, force: force) }
          == .refused(.linkedToOtherSubscription))
    }
  }

  @Test("an expired Apple membership is replaced without force (O16)")
  func expired() async throws {
    let scene = try await ServiceScene()
    let one = try scene.appStore.buy(ServiceScene.monthly, by: "one")
    try scene.appStore.setAutoRenew(.off, of: one)
    try await scene.verify("one")
    _ = try await scene.service.link("alice", to: one.originalTransactionID)
    scene.appStore.clock.advance(by: .days(40))
    let two = try await scene.bought(by: "two").originalTransactionID
    #expect(
      try await failure { _ = try await scene.service.link("alice", to: two) }
        == .refused(.linkedToOtherSubscription))
    let membership = try await expiredOnly(scene).link("alice", to: two)
    #expect(membership.originalTransactionID == two)
  }

  @Test("unlinks as often as wanted, and only what is the named account's")
  func unlink() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    try await scene.service.unlinkAll([id], from: Account(id: "bob"))
    #expect(try await scene.membership(of: "alice") != nil)
    #expect(try await scene.service.subscription(id).owner == "alice")
    for _ in 1...2 {
      try await scene.service.unlinkAll([id, "42"], from: nil)
      #expect(try await scene.membership(of: "alice") == nil)
      #expect(try await scene.service.subscription(id).owner == nil)
    }
    #expect(try await scene.messages().map(\.kind) == [.link, .unlink])
  }

  @Test("unlinks the row of an account that is named by its second identifier")
  func unlinkBySecondID() async throws {
    let scene = try await ServiceScene()
    scene.accounts.add(Account(secondID: "second"))
    let id = try await scene.bought().originalTransactionID
    let row = try await scene.service.link(primaryID: nil, secondID: "second", to: id)
    let rows = {
      try await scene.store.read { records in
        try await records.memberships.find(account: nil, appleSubscriptionIDs: [id])
      }
    }
    try await scene.service.unlinkAll([id], from: Account(id: "dora", secondID: "other"))
    #expect(try await rows() == [row])
    try await scene.service.unlinkAll([id], from: Account(secondID: "second"))
    #expect(try await rows().isEmpty)
  }

  @Test("unlinks also when no product is known any more")
  func unlinkUnknownProduct() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    let forgetful = try scene.service(asking: scene.appStore, products: [:])
    try await forgetful.unlinkAll([id], from: nil)
    #expect(try await scene.membership(of: "alice") == nil)
  }

  @Test("a receipt of Production that came to the Sandbox is refused (21008)")
  func wrongServer() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let refused = try await failure {
      _ = try await scene.service.verify(receipt: purchase.receipt, startingAt: .sandbox)
    }
    guard case .verification(.refused(.wrongServer(.productionReceipt), _)) = refused else {
      Issue.record("not refused for its server but \(String(describing: refused))")
      return
    }
  }
}
