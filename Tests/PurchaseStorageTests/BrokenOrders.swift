import Foundation
import OrderPolicy
import PurchaseStorage
import ReceiptModels

/// A thing that records of orders can do wrong.
enum OrderFault: Sendable {
  case levelsAreAdded, levelsAreForgotten, feesAreRounded
  case additionsReplace, additionsAlwaysSucceed, savesAreForgotten, removalsAreForgotten
  case environmentsAreForgotten
  case namesAreRepeated
  case lastClaimWins, everyClaimSucceeds, vendorsAreMixed, environmentsOfClaimsAreMixed
  case claimsEndWithSubscriptions
  case removedClaimsStay, transfersAreForgotten
  case messagesAreForgotten, newMessagesAreRemoved
}

/// Records of orders, and their repositories, with one fault.
struct BrokenOrders: OrderRecords {
  let base: any OrderRecords
  let fault: OrderFault

  var levels: any LevelRepository { self }
  var orderedSubscriptions: any OrderedSubscriptionRepository { self }
  var subscriptionClaims: any SubscriptionClaimRepository { BrokenClaims(records: self) }
  var pushedMessages: any PushedMessageRepository { BrokenMessages(records: self) }
}

extension BrokenOrders: LevelRepository {
  func all() async throws -> SubscriptionLevels {
    let levels = try await base.levels.all()
    guard fault == .feesAreRounded else { return levels }
    return try SubscriptionLevels(
      levels.all.map { level in
        var level = level
        level.fee = MonthlyFee(String(level.fee.description.prefix { $0 != "." })) ?? "0"
        return level
      })
  }

  func replace(with levels: SubscriptionLevels) async throws {
    switch fault {
    case .levelsAreForgotten: return
    case .levelsAreAdded:
      let present = try await base.levels.all().all.filter { levels.level(named: $0.name) == nil }
      // Products that both have are left out, as they are unique.
      let others = present.map {
        SubscriptionLevel(
          name: $0.name, description: $0.description, quota: 0, fee: $0.fee)
      }
      try await base.levels.replace(with: SubscriptionLevels(levels.all + others))
    default: try await base.levels.replace(with: levels)
    }
  }
}

extension BrokenOrders: OrderedSubscriptionRepository {
  func find(_ userID: AccountID) async throws -> OrderedSubscription? {
    try await base.orderedSubscriptions.find(userID)
  }

  func add(_ subscription: OrderedSubscription) async throws -> Bool {
    if fault == .additionsReplace {
      try await base.orderedSubscriptions.save(subscription)
      return false
    }
    let isAdded = try await base.orderedSubscriptions.add(subscription)
    return fault == .additionsAlwaysSucceed || isAdded
  }

  func save(_ subscription: OrderedSubscription) async throws {
    guard fault != .savesAreForgotten else { return }
    var subscription = subscription
    if fault == .environmentsAreForgotten {
      subscription.purchaseKey.environment = .production
    }
    try await base.orderedSubscriptions.save(subscription)
  }

  func remove(_ userID: AccountID) async throws -> Bool {
    if fault == .claimsEndWithSubscriptions, let row = try await find(userID) {
      try await base.subscriptionClaims.remove(row.purchaseKey)
    }
    guard fault != .removalsAreForgotten else { return try await find(userID) != nil }
    return try await base.orderedSubscriptions.remove(userID)
  }

  func levelNames() async throws -> [String] {
    let names = try await base.orderedSubscriptions.levelNames()
    return fault == .namesAreRepeated ? names + names : names
  }
}

private struct BrokenClaims: SubscriptionClaimRepository {
  let records: BrokenOrders
  private var base: any SubscriptionClaimRepository { records.base.subscriptionClaims }
  private var fault: OrderFault { records.fault }

  init(records: BrokenOrders) { self.records = records }

  func owners(of purchases: [PurchaseKey]) async throws -> [AccountID?] {
    try await base.owners(of: purchases.map(written))
  }

  func claim(_ purchase: PurchaseKey, for userID: AccountID) async throws -> AccountID {
    if fault == .lastClaimWins { try await base.remove(purchase) }
    let owner = try await base.claim(written(purchase), for: userID)
    return fault == .everyClaimSucceeds ? userID : owner
  }

  func transfer(_ purchase: PurchaseKey, to userID: AccountID) async throws {
    guard fault != .transfersAreForgotten else { return }
    try await base.transfer(purchase, to: userID)
  }

  func remove(_ purchase: PurchaseKey) async throws {
    guard fault != .removedClaimsStay else { return }
    try await base.remove(purchase)
  }

  /// The key under which a claim is stored.
  private func written(_ purchase: PurchaseKey) -> PurchaseKey {
    var purchase = purchase
    if fault == .vendorsAreMixed { purchase.vendor = .apple }
    if fault == .environmentsOfClaimsAreMixed { purchase.environment = .production }
    return purchase
  }
}

private struct BrokenMessages: PushedMessageRepository {
  let records: BrokenOrders
  private var base: any PushedMessageRepository { records.base.pushedMessages }
  private var fault: OrderFault { records.fault }

  init(records: BrokenOrders) { self.records = records }

  func record(_ messageID: String, now: Date) async throws -> Bool {
    let isNew = try await base.record(messageID, now: now)
    return fault == .messagesAreForgotten || isNew
  }

  func isRecorded(_ messageID: String) async throws -> Bool {
    try await base.isRecorded(messageID)
  }

  func remove(before: Date, limit: Int) async throws -> Int {
    try await base.remove(
      before: fault == .newMessagesAreRemoved ? .distantFuture : before, limit: limit)
  }
}
