#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of a purchase at a date.
///
/// It is derived by ``PurchaseHistory/summary(at:durations:)``. Apple has no paused state. Source:
/// App Store rules, section 8.1.
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
