import StoreSimulators
import Storekeeper
import StorekeeperLocks
import Testing

@Suite("A purchase that was brought to one capability", .onEveryStore)
struct PurchaseOwnersTests {
  private static let pairs = Capability.allCases.flatMap { first in
    Capability.allCases.map { (first, $0) }
  }

  @Test("is nobody else's in any, but its owner's in each, from Apple", arguments: pairs)
  func apple(_ first: Capability, _ other: Capability) async throws {
    let host = try await AppleHost()
    let bought = try host.appStore.buy(ServiceScene.monthly)
    #expect(try await host.bring(bought, to: first, by: "alice"))
    #expect(try await !host.bring(bought, to: other, by: "bob"))
    #expect(try await host.bring(bought, to: other, by: "alice"))
    #expect(try await host.services.subscriptions.membership(of: "bob") == nil)
    #expect(try await host.services.orders.subscriptionForProfile(of: "bob") == nil)
    #expect(try await host.subscribed("bob") == nil)
  }

  @Test("is nobody else's in any, but its owner's in each, from Google", arguments: pairs)
  func google(_ first: Capability, _ other: Capability) async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    #expect(try await host.bring(bought, to: first, by: "alice"))
    #expect(try await !host.bring(bought, to: other, by: "bob"))
    #expect(try await host.bring(bought, to: other, by: "alice"))
  }

  @Test("keeps what continues it for its owner, wherever that is brought", arguments: pairs)
  func chain(_ first: Capability, _ other: Capability) async throws {
    let host = try await PlayHost()
    let basic = try host.sell("basic_monthly")
    #expect(try await host.bring(basic, to: first, by: "alice"))
    let pro = try host.play.acknowledge(host.play.changePlan(of: basic, to: "pro_monthly"))
    #expect(try await !host.bring(pro, to: other, by: "bob"))
    #expect(try await host.bring(pro, to: other, by: "alice"))
  }

  @Test("is an account's own under either of its identifiers", arguments: pairs)
  func secondIdentifier(_ first: Capability, _ other: Capability) async throws {
    let host = try await PlayHost(accounts: TwoNamed())
    let bought = try host.sell("pro_monthly")
    #expect(try await host.bring(bought, to: first, by: "alice"))
    #expect(try await host.bring(bought, to: other, by: "alice-2"))
  }

  @Test("is the user's whose mark it has, also if somebody else was faster", arguments: pairs)
  func mark(_ first: Capability, _ other: Capability) async throws {
    guard first != other else { return }
    let accounts = LateMarks()
    let host = try await PlayHost(accounts: accounts)
    let bought = try host.sell("pro_monthly", PlayTerms(obfuscatedAccountID: "bob's mark"))
    // The host does not know the mark yet.
    #expect(try await host.bring(bought, to: first, by: "alice"))
    accounts.areKnown.withLock { $0 = true }
    #expect(try await host.bring(bought, to: other, by: "bob"))
  }

  @Test("keeps what continues it for its owner in that capability, whoever has it in another")
  func dividedOwners() async throws {
    let host = try await PlayHost()
    let basic = try host.sell("basic_monthly")
    #expect(try await host.bring(basic, to: .orders, by: "alice"))
    #expect(try await host.bring(basic, to: .entitlements, by: "alice"))
    // As rows of the time before one owner counted for all.
    let id = host.id(of: basic)
    try await host.services.subscriptions.store.write {
      try await $0.storedSubscriptions.setOwner("bob", of: id, now: host.play.now)
    }
    let pro = try host.play.acknowledge(host.play.changePlan(of: basic, to: "pro_monthly"))
    #expect(try await host.bring(pro, to: .memberships, by: "bob"))
    #expect(try await host.bring(pro, to: .orders, by: "alice"))
    #expect(try await host.bring(pro, to: .entitlements, by: "alice"))
  }

  @Test("leaves a record of the claim, with its owner", arguments: Capability.allCases)
  func conflict(_ first: Capability) async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    _ = try await host.bring(bought, to: first, by: "alice")
    for _ in 0..<2 { #expect(try await !host.bring(bought, to: .entitlements, by: "bob")) }
    let id = host.id(of: bought)
    let conflicts = try await host.services.entitlements.store.read {
      try await $0.associations.conflicts(about: id)
    }
    #expect(conflicts.map { [$0.owner, $0.claimant] } == [["alice", "bob"]])
  }

  @Test(
    "by an account with a second identifier only is nobody else's",
    arguments: [
      Capability.entitlements, .orders,
    ])
  func secondIdentifierOnly(_ other: Capability) async throws {
    let host = try await PlayHost(accounts: TwoNamed())
    let bought = try host.sell("pro_monthly")
    #expect(try await host.bring(bought, to: .memberships, by: "visitor"))
    #expect(try await !host.bring(bought, to: other, by: "bob"))
    #expect(try await host.bring(bought, to: other, by: "visitor"))
  }
}

/// A capability to which a customer brings a purchase.
enum Capability: CaseIterable {
  case memberships, entitlements, orders
}

extension AppleHost {
  /// Brings a purchase to a capability, and returns whether it is the user's then.
  func bring(
    _ purchase: TestPurchase, to capability: Capability, by userID: AccountID
  ) async throws -> Bool {
    let token = try purchase.signedTransactionInfo
    return try await isAccepted {
      switch capability {
      case .memberships:
        _ = try await services.subscriptions.link(userID, to: verifier.transaction(token))
      case .entitlements:
        try await services.entitlements.validate(
          UploadedEvidence(signedTransactions: [token]), for: userID, in: ServiceScene.bundleID)
      case .orders: _ = try await order(token, by: userID)
      }
    }
  }
}

extension PlayHost {
  /// Brings a purchase to a capability, and returns whether it is the user's then.
  fileprivate func bring(
    _ purchase: TestPlayPurchase, to capability: Capability, by userID: AccountID
  ) async throws -> Bool {
    let token = purchase.purchaseToken
    return try await isAccepted {
      switch capability {
      case .memberships:
        _ = try await services.subscriptions.link(userID, to: facts(of: purchase))
      case .entitlements:
        try await services.entitlements.validate(
          UploadedEvidence(purchaseTokens: [token]), for: userID, in: Self.bundleID)
      case .orders:
        _ = try await services.orders.order(
          SubscriptionOrder(userID: userID, vendor: .google, receiptData: token))
      }
    }
  }
}

/// Returns whether a purchase was accepted; only another owner refuses it.
private func isAccepted(_ work: () async throws -> Void) async throws -> Bool {
  do {
    try await work()
    return true
  } catch SubscriptionFailure.refused(.linkedToOtherAccount) {
    return false
  } catch EntitlementFailure.linkedToOtherUser {
    return false
  } catch OrderFailure.refused(.alreadyUsed) {
    return false
  }
}

/// Accounts with two identifiers, and one with a second identifier only.
private struct TwoNamed: AccountDirectory {
  private static let accounts = [
    Account(id: "alice", secondID: "alice-2"), Account(id: "bob"),
    Account(secondID: "visitor"),
  ]

  func account(_ id: AccountID) -> Account? { Self.accounts.first { $0.isKnown(as: id) } }

  func account(knownAs id: AccountID) -> Account? { account(id) }
}

/// Accounts whose marks the host learns late.
private final class LateMarks: AccountDirectory {
  let areKnown = Locked(false)

  func account(_ id: AccountID) -> Account? { Account(id: id) }

  func account(markedBy mark: String) -> Account? {
    areKnown.withLock { $0 } ? Account(id: "bob") : nil
  }
}
