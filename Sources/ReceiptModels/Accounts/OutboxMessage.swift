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
    /// An e-mail: a purchase of the account moved to another account, which showed it.
    public static let transfer = Self(rawValue: "transfer")
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

    /// An event: Apple asks a customer to agree to a higher price, or told them of it, or the customer agreed; the
    /// deadline is the renewal for which an answer is awaited.
    public static let priceIncrease = Self(rawValue: "price_increase")
    /// An event: a customer redeemed an offer of Apple's.
    public static let offerRedeemed = Self(rawValue: "offer_redeemed")
    /// An event: Apple told of offers by which a customer whose subscription has lapsed may come back.
    public static let winBackEligible = Self(rawValue: "win_back_eligible")
    /// An event: a parent withdrew the consent to a child's use of the app; the purchase is that of the app.
    public static let consentRescinded = Self(rawValue: "consent_rescinded")
    /// An event: Apple made a token for external purchases; the deadline is the day on which Apple asks for a report.
    public static let externalPurchaseCreated = Self(rawValue: "external_purchase_created")
    /// An event: Apple reminds of a token for external purchases that is still in use.
    public static let externalPurchaseReminder = Self(rawValue: "external_purchase_reminder")
    /// An event: Apple has no report about a token for external purchases.
    public static let externalPurchaseUnreported = Self(rawValue: "external_purchase_unreported")

    /// An event for one endpoint of the host, which gets those of an account in their order; the purchase is its
    /// position, and the reference its identifier.
    public static func webhook(_ endpoint: String) -> Self { Self(rawValue: linePrefix + endpoint) }

    /// A notification of a store's for one further server of the host; the body is what arrived, the reference its
    /// key, and the purchase the one that it is about, or `0`.
    public static func forward(_ target: String) -> Self { Self(rawValue: forwardPrefix + target) }

    package static let linePrefix = "webhook:"
    package static let forwardPrefix = linePrefix + "forward/"

    /// Whether messages of the kind are delivered in the order of each account, by a delivery of their own.
    public var isLine: Bool { rawValue.utf8.starts(with: Self.linePrefix.utf8) }

    /// The name under which the store keeps the place of the receiver of a line.
    package var readerName: String { String(rawValue.dropFirst(Self.linePrefix.count)) }

    /// Whether messages of the kind are notifications that are forwarded.
    package var isForward: Bool { rawValue.utf8.starts(with: Self.forwardPrefix.utf8) }

    public static let allCases: [Self] = [
      link, unlink, transfer, sync, consumption, refundReview, starterRefused,
      googleAcknowledgement,
      googleConsumption, priceIncrease, offerRedeemed, winBackEligible, consentRescinded,
      externalPurchaseCreated, externalPurchaseReminder, externalPurchaseUnreported,
    ]
  }

  public var kind: Kind
  public var account: Account?
  /// The purchase: of an app its app transaction's ID, and of an external purchase `external:` and the ID
  /// of its token.
  public var originalTransactionID: String
  public var tier: Tier?
  /// The last day of the membership, in UTC.
  public var expireDate: CalendarDay?
  public var isAlreadyExpired: Bool
  /// The key of the stored record that the message is about, 1 to 255 bytes; nil if there is none.
  public var reference: String?
  /// The date after which the message is of no use, in milliseconds; nil if it never expires.
  public var deadline: Date?
  /// The text to hand over as it came, 1 byte to 8 MiB, kept until the message was sent; nil if there is none.
  public var body: String?

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

extension OutboxMessage: CustomReflectable {
  /// A mirror without the body, which may hold a receipt.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "kind": kind, "account": account as Any, "originalTransactionID": originalTransactionID,
        "tier": tier as Any, "expireDate": expireDate as Any,
        "isAlreadyExpired": isAlreadyExpired, "reference": reference as Any,
        "deadline": deadline as Any,
      ], displayStyle: .struct)
  }
}
