internal import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state of a subscription or a purchase, with the transaction that decided it.
///
/// It is derived by ``PurchaseHistory/summary(at:durations:)``. If Apple cannot be reached there is
/// no new summary, and the last known one stays valid.
///
/// Source: App Store rules, section 8.1.
public struct SubscriptionSummary: Hashable, Sendable {
  public var state: SubscriptionState
  public var transaction: PurchaseRecord
  public var renewal: RenewalRecord?
  public var knowledge: SubscriptionKnowledge
  public var subscriptionGroupID: String?
  /// Whether any transaction of the history was refunded or revoked.
  public var hasRefundedHistory: Bool
}

extension SubscriptionSummary {
  /// The identifier of the first charge.
  public var originalTransactionID: String { transaction.originalTransactionID }

  public var productID: String { transaction.productID }

  public var environment: AppStoreEnvironment? { transaction.environment }

  public var isEntitled: Bool { state.isEntitled }

  /// The corresponding status of Apple's API, or nil if there is none or the source cannot know it.
  ///
  /// Compare it with the status that Apple sends, and report a difference.
  public var status: SubscriptionStatus? {
    guard transaction.productType != .nonRenewingSubscription, transaction.expiresDate != nil else {
      return nil
    }
    switch state {
    case .active: return .active
    case .inGracePeriod: return .billingGracePeriod
    case .inBillingRetry: return .billingRetry
    case .expired: return knowledge == .local ? nil : .expired
    case .revoked: return .revoked
    case .upgraded, .owned, .refunded: return nil
    }
  }

  /// Whether the subscription will renew automatically, or nil if unknown.
  public var willRenew: Bool? { renewal?.willRenew }

  /// The product that will renew instead of this one, if the customer chose another.
  public var pendingProductID: String? {
    guard willRenew == true, let product = renewal?.autoRenewProductID, !product.utf8.isEmpty,
      !product.isSameText(as: productID)
    else { return nil }
    return product
  }

  /// Whether Apple asked for consent to a price increase, and the customer has not answered.
  public var isPriceConsentPending: Bool { renewal?.priceIncreaseStatus == .notAnswered }

  /// Whether the deciding transaction is a free trial.
  public var isTrial: Bool { transaction.isTrialPeriod ?? false }

  /// Whether the deciding transaction is a paid introductory offer.
  public var isIntro: Bool { transaction.isInIntroOfferPeriod ?? false }

  public var offer: PurchaseOffer? { transaction.offer }

  /// The commitment that the deciding transaction is a payment of.
  public var commitment: PurchaseCommitment? { transaction.commitment }

  /// The renewal of the commitment, with the customer's choices for the time after it.
  public var commitmentRenewal: CommitmentRenewal? { renewal?.commitment }

  public var ownership: InAppOwnershipType? { transaction.ownership }

  /// Whether a family member shared the purchase, or an organization or group assigned it.
  public var isFamilyShared: Bool { transaction.isFamilyShared }
}

/// The extent of knowledge that the source of a subscription's state has.
public enum SubscriptionKnowledge: String, Hashable, Sendable, Codable {
  /// A receipt only: no renewal, grace period or billing retry, and nothing newer than the receipt.
  case local
  /// An answer from Apple, as of the answer's date.
  case remote
  /// A notification from Apple, as of its signed date.
  case notification
}
