internal import JSONValues
public import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AppStoreSimulator {
  /// Refunds a charge, and turns off renewal of its subscription.
  ///
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func refund(
    _ purchase: TestPurchase, reason: RevocationReason = .other
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, now) throws(SimulatorFailure) in
      let refunded = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = reason
        // After a refund of a part this is one of all that is left.
        transaction.revocationType = nil
        transaction.revocationPercentage = nil
      }
      let isSubscription = try store.changeRenewal(originalID(purchase)) { $0.end() }
      return SimulatedChange(isSubscription ? .subscriptionRefunded : .purchaseRefunded, refunded)
    }
  }

  /// Reverses a refund, as after a dispute that the customer lost.
  ///
  /// - Throws: ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func reverseRefund(
    _ purchase: TestPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, _) throws(SimulatorFailure) in
      let charge = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = nil
        transaction.cancellationReason = nil
        transaction.revocationType = nil
        transaction.revocationPercentage = nil
      }
      return SimulatedChange(.refundReversed, charge)
    }
  }

  /// Revokes the access to a purchase that somebody else paid for; see ``share(_:with:)`` and ``assign(_:to:)``.
  ///
  /// - Throws: ``SimulatorFailure/notShared``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func revoke(_ purchase: TestPurchase) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, now) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).isShared else { throw .notShared }
      let revoked = try charge(of: purchase, in: store)
      store.change(id(purchase)) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = .other
      }
      _ = try store.changeRenewal(originalID(purchase)) { $0.end() }
      return SimulatedChange(.revoked, revoked)
    }
  }

  private func charge(
    of purchase: TestPurchase, in store: SimulatedStore
  ) throws(SimulatorFailure) -> SimulatedTransaction {
    guard let charge = store.transaction(id(purchase)) else { throw .unknownPurchase }
    return charge
  }
}

/// A refund that a customer asked for, or the host through Advanced Commerce.
struct SimulatedRefundRequest: Hashable, Sendable {
  let reason: ConsumptionRequestReason
  /// The kind of refund that the host asked for; nil if the customer asked.
  var type: RevocationType?
}

extension AppStoreSimulator {
  /// Asks Apple for the refund of a charge, as a customer does; ``decideRefund(_:otherwise:)``
  /// decides.
  ///
  /// - Returns: Apple's notification, which asks the host for consumption information.
  /// - Throws: ``SimulatorFailure/unknownPurchase``, ``SimulatorFailure/alreadyRefunded``.
  @discardableResult
  public func requestRefund(
    _ purchase: TestPurchase, reason: ConsumptionRequestReason = .unintendedPurchase
  ) throws(SimulatorFailure) -> TestNotification {
    try requestRefund(of: id(purchase), SimulatedRefundRequest(reason: reason))
  }

  func requestRefund(
    of id: Int, _ request: SimulatedRefundRequest
  ) throws(SimulatorFailure) -> TestNotification {
    let notification = try notify { (store, _) throws(SimulatorFailure) in
      guard let charge = store.transaction(id) else { throw .unknownPurchase }
      guard charge.cancellationDate == nil else { throw .alreadyRefunded }
      return SimulatedChange(.refundRequested, charge, for: request.reason)
    }
    state.withLock { $0.serverAPI.refundRequests[id] = request }
    return notification
  }

  /// The outcome of a request for a refund.
  public enum RefundDecision: Hashable, Sendable {
    /// The whole price goes back.
    case full
    /// A part of the price goes back, in thousandths of a per cent of it.
    case prorated(Int)
    /// Nothing goes back.
    case decline
  }

  /// Decides about a refund by the consumption information that the host sent last, and else as
  /// told.
  ///
  /// The preference `GRANT_FULL`, or 1 in version 1, refunds the whole price; `GRANT_PRORATED` the
  /// share that is not consumed, which for a subscription is the rest of its period; `DECLINE`, or 2
  /// in version 1, refunds nothing.
  ///
  /// - Returns: Apple's notification, a `REFUND` or a `REFUND_DECLINED`.
  /// - Throws: ``SimulatorFailure/unknownPurchase``, ``SimulatorFailure/refundNotRequested``.
  @discardableResult
  public func decideRefund(
    _ purchase: TestPurchase, otherwise decision: RefundDecision = .full
  ) throws(SimulatorFailure) -> TestNotification {
    let id = id(purchase)
    let now = now
    let (request, sent, charge) = state.withLock { state in
      (
        state.serverAPI.refundRequests[id], state.serverAPI.consumption[id]?.last,
        state.store.transaction(id)
      )
    }
    guard let charge else { throw .unknownPurchase }
    guard let request else { throw .refundNotRequested }
    let decision =
      Self.preference(sent, charge, at: now) ?? request.decision(about: charge, at: now) ?? decision
    let notification = try decide(decision, about: charge)
    state.withLock { $0.serverAPI.refundRequests[id] = nil }
    return notification
  }

  /// Refunds a charge, or declines to.
  func decide(
    _ decision: RefundDecision, about charge: SimulatedTransaction
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, now) throws(SimulatorFailure) in
      let percentage: Int
      switch decision {
      case .decline: return SimulatedChange(.refundDeclined, charge)
      case .full: percentage = 100_000
      case .prorated(let share): percentage = share
      }
      store.change(charge.id) { transaction in
        transaction.cancellationDate = now
        transaction.cancellationReason = .other
        transaction.revocationType = decision == .full ? .refundFull : .refundProrated
        transaction.revocationPercentage = percentage
      }
      let isSubscription = try store.changeRenewal(charge.originalID) { $0.end() }
      return SimulatedChange(isSubscription ? .subscriptionRefunded : .purchaseRefunded, charge)
    }
  }

  /// Returns what consumption information asks for; nil if it has no preference.
  private static func preference(
    _ sent: JSONValue?, _ charge: SimulatedTransaction, at now: Date
  ) -> RefundDecision? {
    switch sent?["refundPreference"] {
    case .string("GRANT_FULL"), .integer(1): .full
    case .string("DECLINE"), .integer(2): .decline
    case .string("GRANT_PRORATED"):
      .prorated(
        sent?["consumptionPercentage"]?.whole.map { 100_000 - $0 } ?? charge.unusedShare(at: now))
    default: nil
    }
  }
}

extension SimulatedRefundRequest {
  /// Returns the decision that the host asked for; nil if the customer asked.
  fileprivate func decision(
    about charge: SimulatedTransaction, at now: Date
  ) -> AppStoreSimulator.RefundDecision? {
    switch type {
    case .refundFull: .full
    case .refundProrated: .prorated(charge.unusedShare(at: now))
    default: nil
    }
  }
}

extension SimulatedTransaction {
  /// The share of the paid period that is left at a moment, in thousandths of a per cent.
  func unusedShare(at now: Date) -> Int {
    guard let expiresDate, expiresDate > purchaseDate else { return 0 }
    let share = expiresDate.timeIntervalSince(now) / expiresDate.timeIntervalSince(purchaseDate)
    return Int((min(max(share, 0), 1) * 100_000).rounded())
  }
}
