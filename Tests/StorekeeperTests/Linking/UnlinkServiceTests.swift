import Foundation
import StoreSimulators
import Storekeeper
import Testing

@Suite("Unlinking a subscription", .onEveryStore)
struct UnlinkServiceTests {
  @Test("takes owner and membership, archives both, and tells by e-mail")
  func unlink() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    let membership = try await scene.service.link("alice", to: id)
    try await scene.service.unlink("alice", from: id)

    #expect(try await scene.membership(of: "alice") == nil)
    let subscription = try await scene.service.subscription(id)
    #expect(subscription.owner == nil)
    #expect(!subscription.isInUse)
    let history = try await scene.history(of: id)
    #expect(Set(history.map(\.kind)) == [.snapshot(membership.copy, .unlink), .unlink])
    #expect(try await scene.messages().map(\.kind) == [.link, .unlink])
  }

  @Test("is refused the second time")
  func again() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    try await scene.service.unlink("alice", from: id)
    #expect(
      try await failure { try await scene.service.unlink("alice", from: id) }
        == .refused(.notLinked))
  }

  @Test("is refused to another account, and changes nothing")
  func otherAccount() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    let membership = try await scene.service.link("alice", to: id)
    #expect(
      try await failure { try await scene.service.unlink("bob", from: id) }
        == .refused(.notLinked))
    #expect(try await scene.membership(of: "alice") == membership)
    #expect(try await scene.service.subscription(id).owner == "alice")
  }

  @Test("of a subscription that is claimed, but not used, takes the owner only")
  func claimedOnly() async throws {
    let scene = try await ServiceScene()
    let used = try await scene.bought(by: "one").originalTransactionID
    let claimed = try await scene.bought(by: "two").originalTransactionID
    let membership = try await scene.service.link("alice", to: used)
    _ = try await failure { _ = try await scene.service.link("alice", to: claimed) }
    try await scene.service.unlink("alice", from: claimed)
    #expect(try await scene.service.subscription(claimed).owner == nil)
    #expect(try await scene.membership(of: "alice") == membership)
    #expect(try await scene.history(of: claimed).map(\.kind) == [.unlink])
    #expect(try await scene.messages().map(\.kind) == [.link])
  }

  @Test("lets another account link afterwards")
  func handOver() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.linked().originalTransactionID
    try await scene.service.unlink("alice", from: id)
    #expect(try await scene.service.link("bob", to: id).primaryID == "bob")
  }

  @Test("whose membership is another account's is rolled back, the owner stays (U7)")
  func othersMembership() async throws {
    let scene = try await ServiceScene()
    let id = try await scene.bought().originalTransactionID
    let membership = try await scene.service.link("alice", to: id)
    let now = scene.now
    try await scene.store.write { records in
      try await records.storedSubscriptions.setOwner("bob", of: id, now: now)
    }
    #expect(
      try await failure { try await scene.service.unlink("bob", from: id) }
        == .refused(.notLinked))
    #expect(try await scene.service.subscription(id).owner == "bob")
    #expect(try await scene.membership(of: "alice") == membership)
    #expect(try await scene.history(of: id).isEmpty)
  }

  @Test("needs a stored subscription")
  func unknown() async throws {
    let scene = try await ServiceScene()
    #expect(
      try await failure { try await scene.service.unlink("alice", from: "42") }
        == .subscriptionNotFound)
  }
}
