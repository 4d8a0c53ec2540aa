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

  /// The questions for a review of a chargeback, oldest first, with their answers.
  public var refundReviews: [PlayRefundReview] {
    state.withLock { state in
      state.world.refundReviews.values
        .sorted { ($0.asked, $0.pendingRefundToken) < ($1.asked, $1.pendingRefundToken) }
    }
  }
}
