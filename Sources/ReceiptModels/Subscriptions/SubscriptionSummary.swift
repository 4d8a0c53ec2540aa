#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a customer has of a subscription or a purchase, and why.
///
/// Made by ``PurchaseHistory/summary(at:durations:)``. A failure to reach Apple makes none: then the
/// last known one stays.
///
/// Source: contract on signed data, section 8.1.
public struct SubscriptionSummary: Hashable, Sendable {
  /// What the customer has.
  public var state: SubscriptionState
  /// The transaction that decided the state.
  public var transaction: PurchaseRecord
  /// What is known about the renewal.
  public var renewal: RenewalRecord?
  /// How much the source can know.
  public var knowledge: SubscriptionKnowledge
  /// The group of subscriptions.
  public var subscriptionGroupID: String?
  /// Whether any transaction of the history was refunded or revoked.
  public var hasRefundedHistory: Bool
}

extension SubscriptionSummary {
  /// The identifier of the first charge.
  public var originalTransactionID: String { transaction.originalTransactionID }

  /// The product of the transaction that decided.
  public var productID: String { transaction.productID }

  /// Where the purchase was made.
  public var environment: AppStoreEnvironment? { transaction.environment }

  /// Whether the customer may use what was bought.
  ///
  /// False after the expiry in a local receipt means only that this receipt proves nothing; a renewal
  /// may have come since (see ``knowledge``).
  public var isEntitled: Bool { state.isEntitled }

  /// The status that Apple's API has for the state, or nil where it has none or the source cannot
  /// tell; compare it with what Apple delivers, and report a difference.
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

  /// Whether the subscription will renew by itself, or nil where the source does not tell.
  public var willRenew: Bool? { renewal?.willRenew }

  /// The product that will renew in the place of this one, if the customer chose another.
  public var pendingProductID: String? {
    guard willRenew == true, let product = renewal?.autoRenewProductID, !product.utf8.isEmpty,
      !product.utf8.elementsEqual(productID.utf8)
    else { return nil }
    return product
  }

  /// Whether Apple has asked for consent to a higher price, and the customer has not answered.
  public var isPriceConsentPending: Bool { renewal?.priceIncreaseStatus == .notAnswered }

  /// Whether the deciding transaction is a free trial.
  public var isTrial: Bool { transaction.isTrialPeriod ?? false }

  /// Whether the deciding transaction is of a paid introductory offer.
  public var isIntro: Bool { transaction.isInIntroOfferPeriod ?? false }

  /// The offer that set the price of the deciding transaction.
  public var offer: PurchaseOffer? { transaction.offer }

  /// How the customer came to own the purchase.
  public var ownership: InAppOwnershipType? { transaction.ownership }

  /// Whether the customer has it from a family member.
  public var isFamilyShared: Bool { transaction.isFamilyShared }
}
