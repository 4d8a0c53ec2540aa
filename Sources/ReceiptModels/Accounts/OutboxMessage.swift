#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message of the outbox: an e-mail to a customer, or an event for the host.
///
/// Source: linking rules, section 4.6.
public struct OutboxMessage: Hashable, Sendable {
  /// The subject of a message; hosts and later versions have further ones.
  public struct Kind: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An e-mail: an Apple subscription was linked.
    public static let link = Self(rawValue: "link")
    /// An e-mail: an Apple subscription was unlinked.
    public static let unlink = Self(rawValue: "unlink")
    /// An event: a membership changed with its Apple subscription.
    public static let sync = Self(rawValue: "sync")

    /// An event: Apple asks for consumption information.
    public static let consumption = Self(rawValue: "consumption")
    /// An event: Google asks for a review of a chargeback.
    public static let refundReview = Self(rawValue: "refund_review")

    /// An event: a starter pack was paid for, but refused, because the customer had bought one before.
    public static let starterRefused = Self(rawValue: "starter_refused")

    /// An event: a purchase of Google Play has to be acknowledged; the reference is the identifier of its key.
    public static let googleAcknowledgement = Kind(rawValue: "google_acknowledgement")

    /// An event: a one-time product of Google Play has to be consumed; the reference is its transaction ID.
    public static let googleConsumption = Kind(rawValue: "google_consumption")

    public static let allCases: [Self] = [
      link, unlink, sync, consumption, refundReview, starterRefused, googleAcknowledgement,
      googleConsumption,
    ]
  }

  public var kind: Kind
  public var account: Account?
  /// The purchase.
  public var originalTransactionID: String
  public var tier: Tier?
  /// The last day of the membership, in UTC.
  public var expireDate: CalendarDay?
  public var isAlreadyExpired: Bool
  /// The key of the stored record that the message is about, 1 to 255 bytes; nil if there is none.
  public var reference: String?
  /// The date after which the message is of no use, in milliseconds; nil if it never expires.
  public var deadline: Date?

  /// Creates a message about a membership.
  public init(
    kind: Kind, account: Account?, originalTransactionID: String, tier: Tier?,
    expireDate: CalendarDay?, isAlreadyExpired: Bool
  ) {
    self.kind = kind
    self.account = account
    self.originalTransactionID = originalTransactionID
    self.tier = tier
    self.expireDate = expireDate
    self.isAlreadyExpired = isAlreadyExpired
  }

  /// Creates a message about a stored record.
  public init(
    kind: Kind, account: Account? = nil, originalTransactionID: String, reference: String,
    deadline: Date? = nil
  ) {
    self.init(
      kind: kind, account: account, originalTransactionID: originalTransactionID, tier: nil,
      expireDate: nil, isAlreadyExpired: false)
    self.reference = reference
    self.deadline = deadline
  }
}
