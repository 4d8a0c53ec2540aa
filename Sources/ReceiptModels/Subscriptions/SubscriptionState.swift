#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of a purchase at a date.
///
/// It is derived by ``PurchaseHistory/summary(at:durations:)``. Apple has no paused state.
///
/// Source: App Store rules, section 8.1.
public enum SubscriptionState: Hashable, Sendable {
  /// The period is paid until the date.
  case active(until: Date)
  /// The renewal failed and Apple is retrying; the customer stays entitled until the date.
  case inGracePeriod(until: Date)
  /// The renewal failed and Apple is retrying for up to 60 days; the customer is not entitled.
  case inBillingRetry
  case expired(ExpirationReason)
  case revoked(RevocationCause)
  /// The subscription was replaced by another one of the group, whose transaction is not in this
  /// history.
  case upgraded
  /// The product was bought once, without an end, and not refunded; a consumable may be used up.
  case owned
  /// The product was bought once, and Apple refunded or revoked it.
  case refunded(RevocationCause)

  /// The reason for the expiration of a subscription.
  public enum ExpirationReason: Hashable, Sendable {
    case customerCancelled
    case billingError
    case priceIncrease
    case productUnavailable
    /// Apple gives no reason, or the source does not know it.
    case unknown

    /// Creates the reason from Apple's number.
    public init(_ intent: ExpirationIntent?) {
      switch intent {
      case .customerCancelled?: self = .customerCancelled
      case .billingError?: self = .billingError
      case .priceIncreaseNotConsented?: self = .priceIncrease
      case .productNotAvailable?: self = .productUnavailable
      default: self = .unknown
      }
    }
  }

  /// The cause of a revocation.
  public enum RevocationCause: Hashable, Sendable {
    case refund(RevocationReason?)
    /// A family member no longer shares the purchase, or an organization or group took the
    /// assignment away.
    case familySharing

    /// Creates the cause of a cancelled transaction.
    public init(_ record: PurchaseRecord) {
      switch record.revocationType {
      case .familyRevoke, .assignmentRevoke: self = .familySharing
      default:
        self = record.isFamilyShared ? .familySharing : .refund(record.revocationReason)
      }
    }
  }
}

extension SubscriptionState {
  public var isEntitled: Bool {
    switch self {
    case .active, .inGracePeriod, .owned: true
    case .inBillingRetry, .expired, .revoked, .upgraded, .refunded: false
    }
  }

  /// The name of the state without its values, such as `inGracePeriod`.
  public var name: String {
    switch self {
    case .active: "active"
    case .inGracePeriod: "inGracePeriod"
    case .inBillingRetry: "inBillingRetry"
    case .expired: "expired"
    case .revoked: "revoked"
    case .upgraded: "upgraded"
    case .owned: "owned"
    case .refunded: "refunded"
    }
  }
}

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
      !product.utf8.elementsEqual(productID.utf8)
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
