internal import OrderPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CheckedStore: OrderedSubscriptionRepository where Records == any OrderRecords {
  func find(_ userID: AccountID) async throws -> OrderedSubscription? {
    guard fits(.userID, userID.rawValue) else { return nil }
    return try await base.orderedSubscriptions.find(userID)
  }

  func add(_ subscription: OrderedSubscription) async throws -> Bool {
    try subscription.checkTexts()
    return try await base.orderedSubscriptions.add(subscription)
  }

  func save(_ subscription: OrderedSubscription) async throws {
    try subscription.checkTexts()
    try await base.orderedSubscriptions.save(subscription)
  }

  func remove(_ userID: AccountID) async throws -> Bool {
    guard fits(.userID, userID.rawValue) else { return false }
    return try await base.orderedSubscriptions.remove(userID)
  }

  func levelNames() async throws -> [String] { try await base.orderedSubscriptions.levelNames() }
}

extension CheckedStore: SubscriptionClaimRepository where Records == any OrderRecords {
  func owners(of purchases: [PurchaseKey]) async throws -> [AccountID?] {
    var owners = try await base.subscriptionClaims.owners(of: purchases.filter(\.isStorable))
      .makeIterator()
    return purchases.map { $0.isStorable ? owners.next() ?? nil : nil }
  }

  func claim(_ purchase: PurchaseKey, for userID: AccountID) async throws -> AccountID {
    try check(.userID, userID.rawValue)
    try purchase.checkTexts()
    return try await base.subscriptionClaims.claim(purchase, for: userID)
  }

  func transfer(_ purchase: PurchaseKey, to userID: AccountID) async throws {
    try check(.userID, userID.rawValue)
    guard purchase.isStorable else { return }
    try await base.subscriptionClaims.transfer(purchase, to: userID)
  }

  func remove(_ purchase: PurchaseKey) async throws {
    guard purchase.isStorable else { return }
    try await base.subscriptionClaims.remove(purchase)
  }
}

extension CheckedStore: PushedMessageRepository where Records == any OrderRecords {
  func record(_ messageID: String, now: Date) async throws -> Bool {
    try check(.messageID, messageID)
    return try await base.pushedMessages.record(messageID, now: now)
  }

  func isRecorded(_ messageID: String) async throws -> Bool {
    guard fits(.messageID, messageID) else { return false }
    return try await base.pushedMessages.isRecorded(messageID)
  }

  func remove(before: Date, limit: Int) async throws -> Int {
    try await base.pushedMessages.remove(before: before, limit: limit)
  }
}
