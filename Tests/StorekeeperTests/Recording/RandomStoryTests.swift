import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Any sequence of purchases and requests")
struct RandomStoryTests {
  @Test(
    "leads to the same on every store, and never to two accounts for one subscription",
    arguments: 0..<12)
  func same(seed: UInt64) async throws {
    var stories: [Story] = []
    for kind in StoreKind.available {
      try await kind.withStore { store in
        stories.append(try await Story.play(on: store, seed: seed))
      }
    }
    let first = try #require(stories.first)
    #expect(first.accepted > 0)
    for story in stories {
      #expect(story.outcomes == first.outcomes)
      #expect(story.subscriptions == first.subscriptions)
      #expect(story.memberships == first.memberships)
      #expect(story.events == first.events)
      #expect(story.messages == first.messages)
    }
  }
}

/// What a sequence of requests came to.
private struct Story {
  var outcomes: [String] = []
  var accepted = 0
  var subscriptions: [StoredSubscription] = []
  var memberships: [Membership] = []
  /// How many there are of each; those of one second have no order.
  var events: [MembershipEvent: Int] = [:]
  var messages: [OutboxMessage] = []

  static func play(on store: any PurchaseStore, seed: UInt64) async throws -> Story {
    let scene = try await ServiceScene(store: store)
    var random = SeededChance(seed: seed)
    var story = Story()
    var purchases: [TestPurchase] = []
    for _ in 0..<60 {
      let outcome: String
      do {
        outcome = try await step(scene, &purchases, &random)
        story.accepted += 1
      } catch let failure as SubscriptionFailure {
        outcome = "\(failure)"
      } catch let failure as SimulatorFailure {
        outcome = "\(failure)"
      }
      story.outcomes.append(outcome)
      try await checkInvariants(scene, purchases)
    }
    let ids = Set(purchases.map(\.originalTransactionID)).sorted()
    story.subscriptions = try await store.read { try await $0.storedSubscriptions.find(ids) }
    story.memberships = try await memberships(scene, ids)
    for id in ids {
      let events = try await store.read { records in
        try await records.memberships.history(of: .subscription(id), limit: 1000)
      }
      for event in events { story.events[event, default: 0] += 1 }
    }
    story.messages = try await scene.messages()
    return story
  }

  private static func step(
    _ scene: ServiceScene, _ purchases: inout [TestPurchase], _ random: inout SeededChance
  ) async throws -> String {
    let customer = "customer-\(random.roll(4))"
    let account = ["alice", "bob", "carol"][random.roll(3)]
    let purchase = purchases.isEmpty ? nil : purchases[random.roll(purchases.count)]
    let id = purchase?.originalTransactionID ?? "1"
    switch random.roll(12) {
    case 0, 1:
      let products = [ServiceScene.monthly, ServiceScene.yearly, ServiceScene.premium]
      purchases.append(try scene.appStore.buy(products[random.roll(3)], by: customer))
      return "bought"
    case 2:
      scene.appStore.clock.advance(by: .days(1 + random.roll(40)))
      return "later"
    case 3:
      if let purchase { purchases.append(try scene.appStore.renew(purchase)) }
      return "renewed"
    case 4:
      if let purchase { try scene.appStore.refund(purchase) }
      return "refunded"
    case 5, 6:
      let receipt = try scene.appStore.receipt(of: customer)
      let subscription = try await scene.service.subscription(receipt: receipt)
      return "verified \(subscription)"
    case 7:
      return "refreshed \(try await scene.service.refresh(id))"
    case 8:
      try await scene.service.unlink(AccountID(stored: account), from: id)
      return "unlinked"
    default:
      let force = random.roll(3) == 0
      return
        "linked \(try await scene.service.link(AccountID(stored: account), to: id, force: force).copy)"
    }
  }

  private static func memberships(
    _ scene: ServiceScene, _ ids: [String]
  ) async throws -> [Membership] {
    try await scene.store.read { records in
      var rows: [Membership] = []
      for name in ["alice", "bob", "carol"] {
        rows += try await records.memberships.find(
          account: Account(id: AccountID(stored: name)), appleSubscriptionIDs: [])
      }
      return rows.map(\.copy)
    }
  }

  /// What holds after every request.
  private static func checkInvariants(
    _ scene: ServiceScene, _ purchases: [TestPurchase]
  ) async throws {
    let ids = Set(purchases.map(\.originalTransactionID)).sorted()
    let rows = try await scene.store.read { try await $0.storedSubscriptions.find(ids) }
    let memberships = try await memberships(scene, ids)
    let carried = memberships.compactMap(\.originalTransactionID)
    #expect(Set(carried).count == carried.count, "two accounts for one subscription")
    for row in rows.map(\.subscription) {
      guard
        let membership = memberships.first(where: {
          $0.originalTransactionID == row.originalTransactionID
        })
      else {
        #expect(!row.isInUse)
        continue
      }
      #expect(row.owner == membership.primaryID)
      #expect(row.isInUse)
      #expect(membership.expireDate == CalendarDay(row.expiresDate))
      #expect(membership.tier == row.tier)
      #expect(membership.autoRenew == row.autoRenewal)
    }
  }
}
