internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The move of purchases to an account, in one unit of work.
///
/// The capability that was asked decides by its own rule and changes its own records. What other accounts have of the
/// purchases by the records of the other capabilities goes along, so that a purchase never has two owners. Credits never
/// move. Source: linking rules, section 2.4.
struct PurchaseMover {
  let capability: StoreCapability
  let identifiers: OwnIdentifiers
  let now: Date
  let unit: UnitOfWork

  /// Returns whether a purchase may move by the rules of the capability.
  ///
  /// `isLapsed` is asked only where it matters.
  func mayMove(
    _ purchase: PurchaseKey, by options: TransferOptions,
    isLapsed: () async throws -> Bool
  ) async throws -> Bool {
    let rule = options.rule(for: purchase.environment)
    guard rule != .never, let id = purchase.originalTransactionID else { return false }
    let dates = try await unit.purchases.transfers(of: id, environment: purchase.environment)
      .map(\.date)
    return options.allow(
      purchase.environment, isLapsed: rule == .ifLapsed ? try await isLapsed() : true,
      movedAt: dates, now: now)
  }

  /// Records that a purchase has moved, and tells the account that had it by mail.
  func record(_ purchase: PurchaseKey, from previous: Account) async throws {
    guard let id = purchase.originalTransactionID else { return }
    try await unit.purchases.record(
      PurchaseTransfer(
        environment: purchase.environment, originalTransactionID: id, from: previous.id,
        to: identifiers.userID, by: capability, date: now))
    try await unit.outbox.add(
      OutboxMessage(
        kind: .transfer, account: previous, originalTransactionID: id, tier: nil,
        expireDate: nil, isAlreadyExpired: false), now: now)
  }

  /// Takes along what other accounts have of purchases of one environment by the records of the other capabilities.
  func takeAlong(_ purchases: [PurchaseKey]) async throws {
    let ids = purchases.compactMap(\.originalTransactionID)
    guard let environment = purchases.first?.environment, !ids.isEmpty else { return }
    if capability != .entitlements, let entitlements = unit.entitlements {
      for held in try await entitlements.associations.find(ids, environment: environment)
      where try !identifiers.contain(held.userID) {
        var moved = held
        (moved.userID, moved.associatedDate) = (identifiers.userID, now)
        moved.evidence = .receipt
        try await entitlements.associations.replace(moved)
      }
    }
    if capability != .orders, let orders = unit.orders {
      for (purchase, owner) in zip(
        purchases, try await orders.subscriptionClaims.owners(of: purchases))
      {
        guard let owner, try !identifiers.contain(owner) else { continue }
        try await moveClaim(to: purchase, from: owner)
      }
    }
    if capability != .subscriptions, let subscriptions = unit.subscriptions {
      try await unlink(ids, in: environment, subscriptions)
    }
  }

  /// Gives the claim to a purchase to the account, and ends the ordered subscription that rests on it.
  func moveClaim(to purchase: PurchaseKey, from owner: AccountID) async throws {
    let subscription = try await unit.orderedSubscriptions.find(owner)
    if subscription?.purchaseKey == purchase {
      _ = try await unit.orderedSubscriptions.remove(owner)
    }
    try await unit.subscriptionClaims.remove(purchase)
    guard
      try await unit.subscriptionClaims.claim(purchase, for: identifiers.userID)
        == identifiers.userID
    else { throw StorageFailure.duplicate(.other) }
  }

  /// Ends the links of other accounts, as an unlink does; the account links what it wants.
  private func unlink(
    _ ids: [String], in environment: AppStoreEnvironment, _ subscriptions: any SubscriptionRecords
  ) async throws {
    let found = try await subscriptions.find(ids, account: nil)
    for row in found.subscriptions.map(\.subscription) where row.environment == environment {
      let id = row.originalTransactionID
      let membership = found.memberships.first { $0.isIAP && $0.originalTransactionID == id }
      guard let owner = row.owner ?? membership?.accountID, try !identifiers.contain(owner) else {
        continue
      }
      var decision = UnlinkProposal(
        by: .receipt, account: nil, subscription: row, subscriptionMembership: membership
      ).decision(at: now)
      decision.writes = decision.writes.compactMap { write in
        switch write {
        // The mail about the move says it.
        case .email: nil
        case .snapshot(let row, _): .snapshot(row, reason: .transfer)
        default: write
        }
      }
      let writer = DecisionWriter(records: unit, options: LinkOptions(), now: now)
      try await writer.write(decision, about: id)
    }
  }
}
