public import GooglePlayVerifier
internal import JSONValues
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A question of Google's for a review of a chargeback, and the developer's answer.
public struct PlayRefundReview: Hashable, Sendable {
  /// The token of the question, which the answer names.
  public let pendingRefundToken: String
  public let purchaseToken: String
  public let orderID: String
  public let asked: Date
  /// The account that the app named at the purchase.
  let accountID: String?
  let profileID: String?
  /// The answer; nil while there is none.
  public internal(set) var answer: OrdersReviewRefundRequest?
  /// The date of the answer.
  public internal(set) var answered: Date?
  /// The number of answers, of which Google takes the first.
  public internal(set) var answers = 0
  /// The date of Google's decision, after which it takes no answer.
  public internal(set) var decided: Date?

  /// The time for the answer.
  public static let period = Duration.seconds(86_400)

  /// The question as a notification has it: the reason is a chargeback.
  ///
  /// Source: Google Play Billing, "Real-time developer notifications reference guide".
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "version": .string("1.0"), "pendingRefundToken": .string(pendingRefundToken),
      "orderId": .string(orderID), "refundReason": .integer(PlayVoidedReason.chargeback.rawValue),
    ]
    members["obfuscatedAccountId"] = accountID.map(JSONValue.string)
    members["obfuscatedProfileId"] = profileID.map(JSONValue.string)
    return members
  }
}

extension PlayStoreSimulator {
  /// Asks the developer for a review of a chargeback, which Google wants within a day.
  ///
  /// - Throws: ``PlayStoreFailure/unknownPurchase``.
  @discardableResult
  public func requestRefundReview(
    of purchase: TestPlayPurchase
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      let token = purchase.purchaseToken
      let subscription = world.subscription(token)
      let terms = world.product(token)?.terms
      let review = PlayRefundReview(
        pendingRefundToken: PlayToken.hexadecimal(40), purchaseToken: token,
        orderID: purchase.orderID, asked: now,
        accountID: subscription?.accountID ?? terms?.obfuscatedAccountID,
        profileID: subscription?.profileID ?? terms?.obfuscatedProfileID)
      world.refundReviews[review.pendingRefundToken] = review
      world.note(.pendingRefundReview(review), at: now)
      return purchase.purchaseToken
    }
  }

  /// The end of a chargeback.
  public enum RefundReviewDecision: String, Hashable, Sendable, CaseIterable {
    /// The money goes back, and the customer loses what was bought.
    case refund
    /// The developer keeps the money, and Google tells nothing.
    case decline
  }

  /// Ends a chargeback that the developer was asked about: as the answer wants, otherwise as told.
  ///
  /// - Throws: ``PlayStoreFailure``: `unknownPurchase`, or `wrongState` without an open question about the newest order.
  @discardableResult
  public func decideRefundReview(
    of purchase: TestPlayPurchase, otherwise decision: RefundReviewDecision = .refund
  ) throws(PlayStoreFailure) -> TestPlayPurchase {
    try change { (world, now) throws(PlayStoreFailure) in
      let (token, order) = (purchase.purchaseToken, try world.orders(purchase.purchaseToken).latest)
      let open = world.refundReviews.values
        .filter { $0.orderID == order.id && $0.decided == nil }
        .max { ($0.asked, $0.pendingRefundToken) < ($1.asked, $1.pendingRefundToken) }
      guard var review = open else { throw .wrongState }
      review.decided = now
      world.refundReviews[review.pendingRefundToken] = review
      let decision = review.answer?.refundPreference.decision ?? decision
      if decision == .refund, order.refunded == nil {
        world.void(token, order: order.id, source: .user, reason: .chargeback, at: now)
      }
      return token
    }
  }

  /// The questions for a review of a chargeback, oldest first, with their answers.
  public var refundReviews: [PlayRefundReview] {
    state.withLock { state in
      state.world.refundReviews.values
        .sorted { ($0.asked, $0.pendingRefundToken) < ($1.asked, $1.pendingRefundToken) }
    }
  }
}

extension OrdersReviewRefundRequest.RefundPreference {
  /// The decision that is wanted; nil for none.
  fileprivate var decision: PlayStoreSimulator.RefundReviewDecision? {
    switch self {
    case .approve: .refund
    case .decline: .decline
    default: nil
    }
  }
}
