import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("App account tokens of the host", .onEveryStore)
struct AccountTokenServiceTests {
  private let token = UUID()

  private func scene(tokenOf account: AccountID? = "dora") async throws -> ServiceScene {
    let scene = try await ServiceScene()
    if let account { scene.accounts.add(Account(id: account), appAccountToken: token) }
    return scene
  }

  @Test("a purchase with another account's token is refused and disputed, however it is linked")
  func refused() async throws {
    let scene = try await scene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly, appAccountToken: token)
    let id = purchase.originalTransactionID
    #expect(
      try await failure {
        _ = try await scene.service.link("alice", to: scene.transaction(purchase))
      } == .refused(.accountTokenMismatch))
    #expect(
      try await failure { _ = try await scene.service.link("bob", to: id, force: true) }
        == .refused(.accountTokenMismatch))
    #expect(try await scene.service.subscription(id).owner == nil)
    let history = try await scene.history(of: id)
    #expect(history.map(\.kind) == [.dispute, .dispute])
    #expect(Set(history.compactMap(\.accountID)) == ["alice", "bob"])
    #expect(try await scene.service.link("dora", to: id).primaryID == "dora")
  }

  @Test("verifyReceipt's token counts as well")
  func receipt() async throws {
    let scene = try await scene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly, appAccountToken: token)
    try await scene.verify()
    #expect(
      try await failure {
        _ = try await scene.service.link("alice", to: purchase.originalTransactionID)
      } == .refused(.accountTokenMismatch))
  }

  @Test("a token that is nobody's, none, and a directory without tokens refuse nothing")
  func open() async throws {
    for (known, given) in [(true, UUID()), (true, nil), (false, token)] as [(Bool, UUID?)] {
      let scene = try await scene(tokenOf: known ? "dora" : nil)
      let purchase = try scene.appStore.buy(ServiceScene.monthly, appAccountToken: given)
      #expect(
        try await scene.service.link("alice", to: scene.transaction(purchase)).primaryID
          == "alice")
    }
  }

  @Test("the newest purchase's token counts, whichever transaction a client sends")
  func newest() async throws {
    let scene = try await scene()
    let other = UUID()
    scene.accounts.add(Account(id: "erin"), appAccountToken: other)
    let first = try scene.appStore.buy(ServiceScene.monthly, appAccountToken: other)
    try scene.appStore.setAutoRenew(.off, of: first)
    scene.appStore.clock.advance(by: .days(40))
    let second = try scene.appStore.buy(ServiceScene.monthly, appAccountToken: token)
    #expect(second.originalTransactionID == first.originalTransactionID)
    try await scene.service.record(scene.transaction(second))
    #expect(
      try await failure {
        _ = try await scene.service.link("erin", to: scene.transaction(first))
      } == .refused(.accountTokenMismatch))
    #expect(
      try await scene.service.link("dora", to: scene.transaction(first)).primaryID == "dora")
  }
}
