public import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OrderService {
  /// Takes an order: asks the vendor, claims the purchase for the user, and stores the subscription.
  ///
  /// A different purchase of the same user replaces the stored one if it ends later, if the stored one has
  /// ended, or if the vendor says that it replaced it; otherwise the stored one stays and is the answer. The same
  /// order may be repeated. Whether the caller may act for the user is not checked.
  ///
  /// Source: entitlement rules, section 14.
  ///
  /// - Returns: The user's subscription.
  /// - Throws: ``OrderFailure``, an error of the host's accounts, or an error of the store.
  public func order(_ order: SubscriptionOrder) async throws -> UserSubscription {
    guard let vendor = vendor(order.vendor) else { throw OrderFailure.unknownVendor }
    guard StoredText.fits(order.receiptData, .orderReceipt) else { throw OrderFailure.receiptSize }
    do {
      return try await take(order, from: vendor, unlessOvertaken: true).get()
    } catch is OvertakenAnswer {
      // A notification was faster than this answer, so the vendor is asked again.
      return try await take(order, from: vendor, unlessOvertaken: false).get()
    }
  }

  /// Asks the vendor about an order and records what follows.
  private func take(
    _ order: SubscriptionOrder, from vendor: any PurchaseVendor, unlessOvertaken: Bool
  ) async throws -> Result<UserSubscription, OrderFailure> {
    let now = now()
    let report = await vendor.report(on: order.receiptData, for: .order, at: now)
    try Task.checkCancellation()
    if case .incidentalFailure(let failure) = report.answer {
      note(failure)
      return .failure(.vendorUnavailable(failure))
    }
    return try await settle(order, report, at: now, unlessOvertaken: unlessOvertaken)
  }

  /// Records what follows from a vendor's word about an order.
  ///
  /// - Throws: ``OvertakenAnswer`` if a later word about the purchase is stored, which ends it earlier.
  func settle(
    _ order: SubscriptionOrder, _ report: VendorReport, at now: Date,
    unlessOvertaken: Bool = false
  ) async throws -> Result<UserSubscription, OrderFailure> {
    let markedUser = try await markedUser(of: report.answer, for: order.userID)
    return try await recording(report, at: now, unlessOvertaken: unlessOvertaken) { records in
      try await records.settle(order, report.answer, markedUser: markedUser, at: now)
    }
  }
}

extension OrderRecords {
  /// Decides on an order and does what follows from it.
  ///
  /// A refusal is returned and not thrown, because throwing it would undo what it removed.
  fileprivate func settle(
    _ order: SubscriptionOrder, _ answer: VendorAnswer, markedUser: AccountID?, at now: Date
  ) async throws -> Result<UserSubscription, OrderFailure> {
    // First, because levels are not replaced while a unit of work has asked for a subscription.
    let subscription = try await orderedSubscriptions.find(order.userID)
    let levels = try await levels.all()
    var situation = try await situation(of: answer, from: order.vendor)
    situation.markedUser = markedUser
    situation.subscription = subscription
    switch OrderDecision(on: order, answer, levels: levels, situation, at: now) {
    case .refuse(let reason, let removesSubscription):
      if removesSubscription { _ = try await orderedSubscriptions.remove(order.userID) }
      return .failure(.refused(reason))
    case .unavailable(let failure): return .failure(.vendorUnavailable(failure))
    case .accept(let row):
      guard try await claim(answer, from: order.vendor, for: order.userID, situation) else {
        return .failure(.refused(.alreadyUsed))
      }
      if situation.subscription != nil {
        try await orderedSubscriptions.save(row)
      } else if try await !orderedSubscriptions.add(row) {
        // Another order of the user was stored meanwhile, and counts in the decision.
        throw StorageFailure.conflict
      }
      try await requestAcknowledgement(of: answer, from: order.vendor, situation, at: now)
      return levels.answer(for: row)
    case .keep(let stored):
      guard try await claim(answer, from: order.vendor, for: order.userID, situation) else {
        return .failure(.refused(.alreadyUsed))
      }
      return levels.answer(for: stored)
    }
  }
}

extension OrderRecords {
  /// The owners of the purchase in an answer, and of the one that it replaced.
  func situation(of answer: VendorAnswer, from vendor: Vendor) async throws -> OrderSituation {
    guard case .valid(let purchase) = answer else { return OrderSituation() }
    let linked = purchase.linkedPurchaseKey.map { [$0] } ?? []
    let owners = try await subscriptionClaims.owners(
      of: [purchase.purchaseKey] + linked, from: vendor)
    return OrderSituation(owner: owners[0], linkedOwner: owners.count > 1 ? owners[1] : nil)
  }

  /// Has a purchase of Google acknowledged, if Google waits for that and it was not stored before.
  fileprivate func requestAcknowledgement(
    of answer: VendorAnswer, from vendor: Vendor, _ situation: OrderSituation, at now: Date
  ) async throws {
    guard vendor == .google, case .valid(let purchase) = answer, purchase.needsAcknowledgement,
      situation.subscription?.isOf(vendor, purchase.purchaseKey) != true
    else { return }
    try await outbox.add(
      OutboxMessage(
        kind: .googleAcknowledgement, originalTransactionID: "0",
        reference: purchase.purchaseKey,
        deadline: now.addingTimeInterval(AcknowledgementDelivery.period)), now: now)
  }

  /// Claims the purchase in an answer instead of the user's one that it replaced.
  ///
  /// - Returns: Whether the user has it then; false if another one claimed it meanwhile.
  func claim(
    _ answer: VendorAnswer, from vendor: Vendor, for userID: AccountID,
    _ situation: OrderSituation
  ) async throws -> Bool {
    guard case .valid(let purchase) = answer else { return false }
    // A claim that was found is locked, and need not be made again.
    if situation.owner != userID {
      let owner = try await subscriptionClaims.claim(
        purchase.purchaseKey, from: vendor, for: userID)
      guard owner == userID else { return false }
    }
    if let linked = purchase.linkedPurchaseKey, situation.linkedOwner == userID {
      try await subscriptionClaims.remove(linked, from: vendor)
    }
    return true
  }
}

extension SubscriptionLevels {
  /// The subscription of a stored row; nil if somebody removed its level from the table.
  func subscription(of row: OrderedSubscription) -> UserSubscription? {
    level(named: row.levelName).map {
      UserSubscription(level: $0, vendor: row.vendor, expiration: row.expiration)
    }
  }

  /// The answer to an order whose row is stored.
  fileprivate func answer(
    for row: OrderedSubscription
  ) -> Result<UserSubscription, OrderFailure> {
    subscription(of: row).map { .success($0) } ?? .failure(.refused(.unknownProduct))
  }
}

/// A vendor's word that is older than what is stored.
struct OvertakenAnswer: Error {}
