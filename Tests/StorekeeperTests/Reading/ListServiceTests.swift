import Foundation
import StoreSimulators
import StorekeeperHTTP
import Storekeeper
import Testing

@Suite("The list of an account's subscriptions", .onEveryStore)
struct ListServiceTests {
  @Test("is ordered by expiry, latest first, then by id, and shows which one is in use")
  func order() async throws {
    let scene = try await ServiceScene()
    var ids: [String] = []
    for customer in ["one", "two", "three"] {
      let product = customer == "two" ? ServiceScene.yearly : ServiceScene.monthly
      ids.append(try await scene.bought(product, by: customer).originalTransactionID)
    }
    for id in ids {
      _ = try await failure { _ = try await scene.service.link("alice", to: id) }
    }
    let all = try await scene.service.subscriptions(of: "alice")
    #expect(all.total == 3)
    #expect(all.subscriptions.map(\.originalTransactionID) == [ids[1], ids[0], ids[2]])
    #expect(all.subscriptions.map(\.isInUse) == [false, true, false])

    let second = try await scene.service.subscriptions(of: "alice", page: 2, pageLength: 2)
    #expect(second.total == 3)
    #expect(second.subscriptions.map(\.originalTransactionID) == [ids[2]])
    let beyond = try await scene.service.subscriptions(of: "alice", page: .max, pageLength: 100)
    #expect(beyond == SubscriptionPage(total: 3, subscriptions: []))
  }

  @Test("of what no account can be is empty, without asking the store")
  func impossible() async throws {
    let scene = try await ServiceScene(store: unreachableStore())
    for id in ["a\0b", "ali ce", String(repeating: "a", count: 10_000)] {
      #expect(
        try await scene.service.subscriptions(of: AccountID(stored: id))
          == SubscriptionPage(total: 0, subscriptions: []))
    }
  }

  @Test("of an unknown account is empty")
  func unknown() async throws {
    let scene = try await ServiceScene()
    #expect(
      try await scene.service.subscriptions(of: "nobody")
        == SubscriptionPage(total: 0, subscriptions: []))
  }

  @Test("has pages from 1, of 1 to 100 rows")
  func limits() async throws {
    let scene = try await ServiceScene()
    let service = scene.service
    for page in [0, -1, .min] {
      #expect(
        try await failure { _ = try await service.subscriptions(of: "alice", page: page) }
          == .invalidPage)
    }
    for length in [0, -1, 101, .max] {
      #expect(
        try await failure { _ = try await service.subscriptions(of: "alice", pageLength: length) }
          == .invalidPageLength)
    }
    #expect(try await service.subscriptions(of: "alice", pageLength: 100).total == 0)
  }
}
