internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The records of orders, of a unit of work that is watched.
struct WatchedOrders: OrderRecords {
  let base: any OrderRecords
  let watch: EventWatch

  var levels: any LevelRepository { base.levels }
  var orderedSubscriptions: any OrderedSubscriptionRepository {
    WatchedOrderedSubscriptions(base: base.orderedSubscriptions, watch: watch)
  }
  var subscriptionClaims: any SubscriptionClaimRepository {
    WatchedClaims(base: base.subscriptionClaims, watch: watch)
  }
  var pushedMessages: any PushedMessageRepository { base.pushedMessages }
}

private struct WatchedOrderedSubscriptions: OrderedSubscriptionRepository {
  let base: any OrderedSubscriptionRepository
  let watch: EventWatch

  func find(_ userID: AccountID) async throws -> OrderedSubscription? {
    let found = try await base.find(userID)
    watch.note(found, of: userID)
    return found
  }

  func add(_ subscription: OrderedSubscription) async throws -> Bool {
    try await watch.noteChange(of: subscription.userID)
    return try await base.add(subscription)
  }

  func save(_ subscription: OrderedSubscription) async throws {
    try await watch.noteChange(of: subscription.userID)
    try await base.save(subscription)
  }

  func remove(_ userID: AccountID) async throws -> Bool {
    try await watch.noteChange(of: userID)
    return try await base.remove(userID)
  }

  func levelNames() async throws -> [String] { try await base.levelNames() }
}

private struct WatchedClaims: SubscriptionClaimRepository {
  let base: any SubscriptionClaimRepository
  let watch: EventWatch

  func owners(of purchases: [PurchaseKey]) async throws -> [AccountID?] {
    let owners = try await base.owners(of: purchases)
    for (purchase, owner) in zip(purchases, owners) { watch.note(claimant: owner, of: purchase) }
    return owners
  }

  func claim(_ purchase: PurchaseKey, for userID: AccountID) async throws -> AccountID {
    let owner = try await base.claim(purchase, for: userID)
    watch.note(claimant: owner, of: purchase)
    return owner
  }

  func transfer(_ purchase: PurchaseKey, to userID: AccountID) async throws {
    try await base.transfer(purchase, to: userID)
    watch.note(claimant: userID, of: purchase)
  }

  func remove(_ purchase: PurchaseKey) async throws {
    try await base.remove(purchase)
    watch.note(claimant: nil, of: purchase)
  }
}
