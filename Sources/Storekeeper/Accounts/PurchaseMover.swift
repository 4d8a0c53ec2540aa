internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The move of a purchase to an account that shows it, in one unit of work.
///
/// The capability that was asked says by which rule, and changes its own records. What other accounts have of the
/// purchase by the records of the other capabilities goes along, so that a purchase never has two owners. Credits never
/// move. Source: linking rules, section 2.4.
struct PurchaseMover {
  let capability: StoreCapability
  let identifiers: OwnIdentifiers
  /// Whether the host's accounts know app account tokens.
  let knowsTokens: Bool
  let now: Date
  let unit: UnitOfWork
  /// The identifier of the account that gets the purchase; nil for that with which it asked.
  var receiver: AccountID?

  /// Returns whether a purchase may move by the rules of the capability.
  ///
  /// `isLapsed` is asked only where it matters.
  func mayMove(
    _ purchase: PurchaseKey, continuing previousIDs: [String], by options: TransferOptions,
    ownTokens: Set<UUID> = [], isLapsed: () async throws -> Bool
  ) async throws -> Bool {
    let (rule, environment) = (options.rule(for: purchase.environment), purchase.environment)
    guard rule != .never,
      try await !isBound(purchase, continuing: previousIDs, ownTokens: ownTokens)
    else { return false }
    return options.allow(
      environment, isLapsed: rule == .ifLapsed ? try await isLapsed() : true,
      movedAt: try await transferDates(of: purchase), now: now)
  }

  /// Returns whether a purchase stays whatever the rules are: it continues another one, or bears a mark that is not among
  /// the account's own.
  func isBound(
    _ purchase: PurchaseKey, continuing previousIDs: [String], ownTokens: Set<UUID>
  ) async throws -> Bool {
    guard previousIDs.isEmpty, let id = purchase.originalTransactionID else { return true }
    return try await isMarked(id, purchase.environment, besides: ownTokens)
  }

  /// Returns the dates at which a purchase moved from account to account before.
  func transferDates(of purchase: PurchaseKey) async throws -> [Date] {
    guard let id = purchase.originalTransactionID else { return [] }
    return try await unit.purchases.transfers(of: id, environment: purchase.environment)
      .map(\.date)
  }

  /// Whether a purchase has the mark of an account, as far as it is stored.
  private func isMarked(
    _ id: String, _ environment: AppStoreEnvironment, besides ownTokens: Set<UUID>
  ) async throws -> Bool {
    if let entitlements = unit.entitlements {
      let held = try await entitlements.associations.find([id], environment: environment)
      let isForeign = try held.contains { association in
        guard association.evidence == .appAccountToken else { return false }
        return try !identifiers.contain(association.userID)
      }
      if isForeign { return true }
    }
    guard knowsTokens else { return false }
    let stored = try await unit.purchases.transactions(of: [id], environment: environment)
    return !Set(stored.compactMap(\.appAccountToken)).isSubset(of: ownTokens)
  }

  /// Whether the records of subscriptions and orders say that a purchase gives somebody something now.
  func givesSomething(_ purchase: PurchaseKey) async throws -> Bool {
    guard let id = purchase.originalTransactionID else { return false }
    if let subscriptions = unit.subscriptions {
      let found = try await subscriptions.find([id], account: nil).subscriptions.map(\.subscription)
      if found.contains(where: {
        $0.environment == purchase.environment && now < $0.expiresDate
      }) {
        return true
      }
    }
    guard let orders = unit.orders,
      let owner = try await orders.subscriptionClaims.owners(of: [purchase])[0],
      let ordered = try await orders.orderedSubscriptions.find(owner)
    else { return false }
    return ordered.purchaseKey == purchase && now < ordered.expiration
  }

  /// Takes along what other accounts have of a purchase by the records of the other capabilities, and records the move
  /// from each account that had it.
  ///
  /// Each of them is told by mail. `owners` are those by the records of the capability itself.
  func move(_ purchase: PurchaseKey, from owners: [Account]) async throws {
    guard let id = purchase.originalTransactionID else { return }
    var previous = owners
    func note(_ owner: Account) {
      if !previous.contains(where: { $0.isKnown(as: owner.id) }) { previous.append(owner) }
    }
    if capability != .entitlements, let owner = try await takeAssociation(purchase, id) {
      note(owner)
    }
    if capability != .orders, unit.orders != nil, let owner = try await takeClaim(purchase) {
      note(owner)
    }
    if capability != .subscriptions, let subscriptions = unit.subscriptions {
      for owner in try await unlink(id, in: purchase.environment, subscriptions) { note(owner) }
    }
    for account in previous { try await record(purchase, id, from: account) }
  }

  private func record(
    _ purchase: PurchaseKey, _ id: String, from previous: Account
  ) async throws {
    try await unit.purchases.record(
      PurchaseTransfer(
        environment: purchase.environment, originalTransactionID: id, from: previous.id,
        to: receiver ?? identifiers.userID, by: capability, date: now))
    try await unit.outbox.add(
      OutboxMessage(
        kind: .transfer, account: previous, originalTransactionID: id, tier: nil,
        expireDate: nil, isAlreadyExpired: false), now: now)
  }

  // MARK: Capabilities

  /// Gives another user's association to the account, whose purchases are asked about soon.
  private func takeAssociation(_ purchase: PurchaseKey, _ id: String) async throws -> Account? {
    let found = try await unit.entitlements?.associations.find(
      [id], environment: purchase.environment)
    guard let held = found?.first, try !identifiers.contain(held.userID) else { return nil }
    try await give(held, to: identifiers.userID)
    var state = try await unit.validations.lock(identifiers.userID, bundleID: held.bundleID)
    state.nextValidationDate = min(state.nextValidationDate ?? now, now)
    try await unit.validations.save(state, of: identifiers.userID)
    return Account(id: held.userID)
  }

  /// Gives an association to another user; whoever answers the one that had it is waited for.
  func give(_ held: PurchaseAssociation, to userID: AccountID) async throws {
    var moved = held
    (moved.userID, moved.associatedDate, moved.evidence) = (userID, now, .receipt)
    try await unit.associations.replace(moved)
    _ = try await unit.validations.find(held.userID, bundleID: held.bundleID)
  }

  /// Gives another user's claim to the account, and ends the ordered subscription that rests on it.
  func takeClaim(_ purchase: PurchaseKey) async throws -> Account? {
    guard let owner = try await unit.subscriptionClaims.owners(of: [purchase])[0],
      try !identifiers.contain(owner)
    else { return nil }
    if try await unit.orderedSubscriptions.find(owner)?.purchaseKey == purchase {
      _ = try await unit.orderedSubscriptions.remove(owner)
    }
    try await unit.subscriptionClaims.transfer(purchase, to: identifiers.userID)
    return Account(id: owner)
  }

  /// Ends the links of other accounts, as an unlink does; the account links what it wants.
  private func unlink(
    _ id: String, in environment: AppStoreEnvironment, _ subscriptions: any SubscriptionRecords
  ) async throws -> [Account] {
    let found = try await subscriptions.find([id], account: nil)
    var previous: [Account] = []
    for row in found.subscriptions.map(\.subscription) where row.environment == environment {
      if let owner = row.owner, try !identifiers.contain(owner) {
        previous.append(Account(id: owner))
        try await unit.storedSubscriptions.setOwner(nil, of: id, now: now)
      }
      let membership = found.memberships.first { $0.isIAP && $0.originalTransactionID == id }
      guard let membership, let account = membership.account, let owner = membership.accountID,
        try !identifiers.contain(owner)
      else { continue }
      previous.append(account)
      try await unit.memberships.snapshot(membership, reason: .transfer, now: now)
      try await unit.memberships.delete(membership)
      try await unit.memberships.recordUnlink(originalTransactionID: id, accountID: owner, now: now)
    }
    return previous
  }
}
