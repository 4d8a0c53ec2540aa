import JSONValues
import ReceiptModels
import StoreSimulators

/// What an order about a purchase says besides its name; each order looks at its own members.
struct PlayActDetails: Sendable {
  /// The length of a pause, a delay or a grace period; nil for none.
  private let days: Int?
  private let holdDays: Int
  private let price: PlayPrice
  private let cause: PlayCancellation
  private let decision: PlayStoreSimulator.RefundReviewDecision

  init(_ body: ControlBody) throws(ControlRefusal) {
    days = try body.count("days", upTo: 3650)
    holdDays = try body.count("holdDays", upTo: 3650) ?? 30
    price = PlayPrice(
      try body.shortText("currency") ?? "USD",
      units: try body.integer("units", in: 0...1_000_000_000) ?? 0,
      nanos: try body.integer("nanos", in: 0...999_999_999) ?? 0)
    cause = try body.choice("by", or: .user)
    decision = try body.choice("otherwise", or: .refund)
  }

  /// Carries out an order, and returns the affected purchase.
  func carryOut(
    _ act: PlayAct, _ purchase: TestPlayPurchase, _ store: PlayStoreSimulator
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    switch act {
    case .completePayment: return try store.completePayment(of: purchase)
    case .cancelPayment: return try store.cancelPayment(of: purchase)
    case .acknowledge: return try store.acknowledge(purchase)
    case .renew: return try store.renew(purchase)
    case .failRenewal:
      return try store.failRenewal(
        purchase, gracePeriod: days.map { .days($0) }, accountHold: .days(holdDays))
    case .recover: return try store.recover(purchase)
    case .pause: return try store.pause(purchase, for: days.map { .days($0) })
    case .resume: return try store.resume(purchase)
    case .deferPayment: return try store.deferPayment(of: purchase, by: .days(days ?? 1))
    case .changePrice: return try store.changePrice(of: purchase, to: price)
    case .confirmPrice: return try store.confirmPrice(of: purchase)
    case .stepUpPrice: return try store.stepUpPrice(of: purchase, to: price)
    case .consentToPriceStep: return try store.consentToPriceStep(of: purchase)
    case .cancel: return try store.cancel(purchase, by: cause)
    case .restore: return try store.restore(purchase)
    case .expire: return try store.expire(purchase)
    case .revoke: return try store.revoke(purchase)
    case .forget:
      try store.forget(purchase)
      return purchase
    case .topUp: return try store.topUp(purchase)
    case .resubscribe: return try store.resubscribe(purchase)
    case .resubscribeOutOfApp: return try store.resubscribeOutOfApp(purchase)
    case .requestRefundReview: return try store.requestRefundReview(of: purchase)
    case .decideRefundReview:
      return try store.decideRefundReview(of: purchase, otherwise: decision)
    }
  }
}
