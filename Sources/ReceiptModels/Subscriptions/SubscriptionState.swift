#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a customer has of a purchase at a moment.
///
/// Derived by ``PurchaseHistory/summary(at:durations:)``. There is no paused state: Apple has none.
///
/// Source: contract on signed data, section 8.1.
public enum SubscriptionState: Hashable, Sendable {
  /// Paid for until then.
  case active(until: Date)
  /// Not paid for, while Apple keeps trying and the customer stays entitled until then.
  case inGracePeriod(until: Date)
  /// Not paid for, while Apple keeps trying, for up to 60 days; not entitled.
  case inBillingRetry
  /// Ended.
  case expired(ExpirationReason)
  /// Taken back by Apple.
  case revoked(RevocationCause)
  /// Replaced by another subscription of the group, of which the source has no transaction here.
  case upgraded
  /// Bought once, without an end, and not taken back; a consumable may be used up.
  case owned
  /// Bought once, and taken back by Apple.
  case refunded(RevocationCause)

  /// Why a subscription ended.
  public enum ExpirationReason: Hashable, Sendable {
    /// The customer switched renewal off.
    case customerCancelled
    /// The renewal could not be charged.
    case billingError
    /// The customer did not consent to a higher price.
    case priceIncrease
    /// The product was not for sale at renewal.
    case productUnavailable
    /// Apple gives no reason, or the source cannot know it.
    case unknown

    /// What Apple's number means.
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

  /// Why Apple took a purchase back.
  public enum RevocationCause: Hashable, Sendable {
    /// The money was given back.
    case refund(RevocationReason?)
    /// A family member no longer shares the purchase.
    case familySharing

    /// The cause that a cancelled transaction tells.
    public init(_ record: PurchaseRecord) {
      if record.isFamilyShared || record.revocationType == .familyRevoke {
        self = .familySharing
      } else {
        self = .refund(record.revocationReason)
      }
    }
  }
}

extension SubscriptionState {
  /// Whether the customer may use what was bought.
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
