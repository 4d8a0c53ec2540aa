import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: linking rules, section 2.4; entitlement rules, sections 7 and 14.
@Suite("A purchase that another account shows", .onEveryStore)
struct TransferTests {
  private static let pairs = Capability.allCases.flatMap { first in
    Capability.allCases.map { (first, $0) }
  }

  @Test(
    "moves, with all that the first account has of it, where the host says always", arguments: pairs
  )
  func always(_ first: Capability, _ other: Capability) async throws {
    let host = try await AppleHost(transfer: .always)
    let bought = try host.appStore.buy(ServiceScene.monthly)
    #expect(try await host.bring(bought, to: first, by: "alice"))
    #expect(try await host.bring(bought, to: other, by: "bob"))
    #expect(try await host.has("alice").isEmpty)
    #expect(try await host.has("bob").contains(other))
    let moves = try await host.transfers(of: bought)
    #expect(moves.map(\.previousOwner) == ["alice"])
    #expect(moves.map(\.owner) == ["bob"])
    #expect(moves.map(\.capability) == [other.store])
    #expect(try await host.farewells() == ["alice"])
    for capability in Capability.allCases {
      #expect(try await host.bring(bought, to: capability, by: "bob"))
    }
    #expect(try await host.has("bob") == Set(Capability.allCases))
    #expect(try await host.transfers(of: bought).count == 1)
  }

  @Test("moves at most so often in a time", arguments: Capability.allCases)
  func limit(_ capability: Capability) async throws {
    let host = try await AppleHost(transfer: .always)
    let bought = try host.appStore.buy(ServiceScene.yearly)
    for user: AccountID in ["alice", "bob", "alice"] {
      #expect(try await host.bring(bought, to: capability, by: user))
      host.appStore.clock.advance(by: .seconds(1))
    }
    #expect(try await !host.bring(bought, to: capability, by: "bob"))
    #expect(try await host.has("alice") == [capability])
    #expect(try await host.has("bob").isEmpty)
    host.appStore.clock.advance(by: .days(30))
    #expect(try await host.bring(bought, to: capability, by: "bob"))
    #expect(try await host.transfers(of: bought).map(\.owner) == ["bob", "alice", "bob"])
  }

  @Test(
    "stays while it gives something, where the host says only once it has lapsed", arguments: pairs)
  func active(_ first: Capability, _ other: Capability) async throws {
    let host = try await AppleHost(transfer: .ifLapsed)
    let bought = try host.appStore.buy(ServiceScene.monthly)
    #expect(try await host.bring(bought, to: first, by: "alice"))
    #expect(try await !host.bring(bought, to: other, by: "bob"))
    #expect(try await host.has("alice") == [first])
    #expect(try await host.transfers(of: bought).isEmpty)
    #expect(try await host.farewells().isEmpty)
  }

  @Test(
    "moves once it has lapsed, where the host says so",
    arguments: Capability.allCases, [Capability.memberships, .entitlements])
  func lapsed(_ first: Capability, _ other: Capability) async throws {
    let host = try await AppleHost(transfer: .ifLapsed)
    let bought = try host.appStore.buy(ServiceScene.monthly)
    #expect(try await host.bring(bought, to: first, by: "alice"))
    // It tells that the subscription renews.
    try await host.tell(bought.notification)
    host.appStore.clock.advance(by: .days(40))
    if other == .memberships {
      // The store may still retry the payment.
      #expect(try await !host.bring(bought, to: other, by: "bob"))
      try await host.tell(host.appStore.expire(bought, for: .customerCancelled))
    }
    #expect(try await host.bring(bought, to: other, by: "bob"))
    let renewed = try host.appStore.buy(ServiceScene.monthly)
    try await host.tell(renewed.notification)
    #expect(try await host.bring(renewed, to: other, by: "bob"))
    #expect(try await host.has("bob").contains(other))
    #expect(try await host.has("alice").isEmpty)
    #expect(try await host.transfers(of: bought).map(\.owner) == ["bob"])
  }

  @Test("stays with the account whose mark it has, whatever the host says")
  func mark() async throws {
    var options = LinkOptions()
    options.transfer = .always
    let host = try await PlayHost(options: options)
    let terms = PlayTerms(obfuscatedAccountID: PlayAccounts.mark + "alice")
    let bought = try host.sell("pro_monthly", terms)
    let facts = try await host.facts(of: bought)
    _ = try await host.services.subscriptions.link("alice", to: facts)
    await #expect(throws: SubscriptionFailure.refused(.accountTokenMismatch)) {
      _ = try await host.services.subscriptions.link("bob", to: facts)
    }
    #expect(try await host.services.subscriptions.membership(of: "bob") == nil)
    #expect(try await host.services.subscriptions.membership(of: "alice") != nil)
  }

  @Test("stays where only its identifier is named, as anybody may know that")
  func byIdentifier() async throws {
    let host = try await AppleHost(transfer: .always)
    let bought = try host.appStore.buy(ServiceScene.monthly)
    #expect(try await host.bring(bought, to: .memberships, by: "alice"))
    await #expect(throws: SubscriptionFailure.refused(.linkedToOtherAccount)) {
      _ = try await host.services.subscriptions.link("bob", to: bought.originalTransactionID)
    }
    #expect(try await host.has("alice") == [.memberships])
  }

  @Test("stays if it continues another one, so that no chain has two owners")
  func chain() async throws {
    var options = LinkOptions()
    options.transfer = .always
    let host = try await PlayHost(options: options)
    let basic = try host.sell("basic_monthly")
    let subscriptions = host.services.subscriptions
    _ = try await subscriptions.link("alice", to: host.facts(of: basic))
    let pro = try host.play.acknowledge(host.play.changePlan(of: basic, to: "pro_monthly"))
    let facts = try await host.facts(of: pro)
    await #expect(throws: SubscriptionFailure.refused(.linkedToOtherAccount)) {
      _ = try await subscriptions.link("bob", to: facts)
    }
    #expect(
      try await subscriptions.membership(of: "alice")?.originalTransactionID == host.id(of: pro))
    #expect(try await subscriptions.membership(of: "bob") == nil)
  }

  @Test("gives nothing to who has an order that lasts longer, and stays")
  func ownOrderLasts() async throws {
    let host = try await AppleHost(transfer: .always)
    let mine = try host.appStore.buy(ServiceScene.yearly, by: "alice's phone")
    let other = try host.appStore.buy(ServiceScene.monthly, by: "bob's phone")
    #expect(try await host.bring(mine, to: .orders, by: "alice"))
    #expect(try await host.bring(other, to: .orders, by: "bob"))
    #expect(try await !host.bring(other, to: .orders, by: "alice"))
    #expect(try await host.has("bob") == [.orders])
    #expect(try await host.transfers(of: other).isEmpty)
  }

  @Test(
    "has one owner after ten accounts have shown it at once, under each rule",
    arguments: TransferRule.allCases)
  func race(_ rule: TransferRule) async throws {
    let host = try await AppleHost(transfer: TransferOptions(rule, limit: 100))
    let bought = try host.appStore.buy(ServiceScene.monthly)
    #expect(try await host.bring(bought, to: .entitlements, by: "alice"))
    let users = (0..<10).map { AccountID(stored: "user-\($0)") }
    let winners = try await withThrowingTaskGroup(of: AccountID?.self) { group in
      for (number, user) in users.enumerated() {
        let capability = Capability.allCases[number % 3]
        group.addTask {
          for _ in 0..<20 {
            // Units of work that take from each other may be in each other's way more often than a store tries.
            do {
              return try await host.bring(bought, to: capability, by: user) ? user : nil
            } catch StorageFailure.conflict {}
          }
          throw StorageFailure.conflict
        }
      }
      return try await group.reduce(into: [AccountID]()) { winners, winner in
        if let winner { winners.append(winner) }
      }
    }
    let moves = try await host.transfers(of: bought)
    // Each takes it from the one before, and the last one has it.
    #expect(
      ["alice"] + moves.dropLast().map(\.owner) == moves.map(\.previousOwner) || moves.isEmpty)
    var owners: [AccountID] = []
    for user in ["alice"] + users where try await !host.has(user).isEmpty { owners.append(user) }
    #expect(owners == [moves.last?.owner ?? "alice"])
    #expect(Set(winners) == Set(moves.map(\.owner)))
    #expect(moves.count == (rule == .always ? 10 : 0))
  }
}

extension Capability {
  fileprivate var store: StoreCapability {
    switch self {
    case .memberships: .subscriptions
    case .entitlements: .entitlements
    case .orders: .orders
    }
  }
}

extension AppleHost {
  private var store: any PurchaseStore { services.subscriptions.store }

  /// The capabilities in which a user has something.
  fileprivate func has(_ user: AccountID) async throws -> Set<Capability> {
    var capabilities: Set<Capability> = []
    if try await services.subscriptions.membership(of: user) != nil {
      capabilities.insert(.memberships)
    }
    let bundleID = ServiceScene.bundleID
    let held = try await store.read {
      try await $0.associations.associations(of: user, in: [bundleID])
    }
    if !held.isEmpty { capabilities.insert(.entitlements) }
    let ordered = try await store.read { try await $0.orderedSubscriptions.find(user) }
    if ordered != nil { capabilities.insert(.orders) }
    return capabilities
  }

  fileprivate func transfers(of purchase: TestPurchase) async throws -> [PurchaseTransfer] {
    try await store.read {
      try await $0.purchases.transfers(
        of: purchase.originalTransactionID, environment: .production)
    }
  }

  /// The accounts to which a mail tells that a purchase has moved.
  fileprivate func farewells() async throws -> [AccountID?] {
    let now = appStore.now
    return try await store.write { records in
      try await records.outbox.lease(limit: 100, now: now, until: now, token: "test")
        .map(\.message).filter { $0.kind == .transfer }.map { $0.account?.id }
    }
  }
}
