#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The information about one transaction that the subscription rules use, whatever its source.
///
/// Create a record from a ``ReceiptTransaction``, an ``AppReceipt/Purchase`` or a ``Transaction``.
/// Nothing is verified here; the caller has to know whether it came from Apple. Source: App Store
/// rules, sections 5.4, 5.5, 6.5 and 8.1.
public struct PurchaseRecord: Hashable, Sendable {
  // MARK: Identity

  public var transactionID: String
  /// The identifier of the first charge, stable over renewals.
  public var originalTransactionID: String
  public var productID: String
  /// The billing plan within the product: Apple's `billingPlanType`, or Google's base plan; nil if the source names none,
  /// as in verifyReceipt.
  public var planID: String?
  /// The kind of product, or nil if the source does not name it, as in verifyReceipt.
  public var productType: ProductType?
  public var subscriptionGroupID: String?
  public var webOrderLineItemID: String?
  public var appAccountToken: UUID?
  public var quantity: Int = 1
  public var ownership: InAppOwnershipType?
  public var environment: AppStoreEnvironment?

  // MARK: Time

  public var purchaseDate: Date?
  public var originalPurchaseDate: Date?
  /// The end of the paid period, or nil if it has none or it is unreadable.
  public var expiresDate: Date?
  /// Whether this is a subscription without a readable expiry, which entitles to nothing.
  ///
  /// An unreadable expiry shows that it is a subscription, and so does a member that only
  /// subscriptions have: the identifier of a purchase event, a group, an upgrade flag, or a trial.
  public var hasUnreadableExpiry: Bool = false
  /// Whether a newer list of the same source has the original transaction, but not this charge.
  ///
  /// An outdated charge decides nothing about the present.
  public var isOutdated: Bool = false
  /// The date on which Apple signed this; of two copies of a transaction the later one is used.
  public var signedDate: Date?

  // MARK: Cancellation

  /// The date on which Apple refunded or revoked the purchase.
  public var cancellationDate: Date?
  /// Whether the source has an unreadable cancellation date, which counts as a cancellation.
  public var hasUnreadableCancellation: Bool = false
  public var revocationReason: RevocationReason?
  /// The extent of the revocation, if the source names it.
  public var revocationType: RevocationType?
  /// Whether the customer upgraded to another subscription that replaces this one.
  public var isUpgraded: Bool = false

  // MARK: Offer

  /// Whether this is a free trial, or nil if unknown.
  public var isTrialPeriod: Bool?
  /// Whether this is a paid introductory offer, or nil if unknown.
  public var isInIntroOfferPeriod: Bool?
  /// Whether the source has an unreadable flag about a trial or an introductory offer.
  public var hasUnreadableOffer: Bool = false
  public var offer: PurchaseOffer?
  /// The commitment that this is a payment of; nil if there is none or the source does not tell, as verifyReceipt.
  public var commitment: PurchaseCommitment?

  // MARK: Price

  /// The price that the customer paid, in thousandths of the currency unit; nil if the source does not tell, as
  /// verifyReceipt.
  public var price: Int?
  /// The currency of the price (ISO 4217).
  public var currency: String?
  /// The country of the customer's account (ISO 3166-1, two letters).
  public var country: String?
  /// The part of the price that was refunded, in thousandths of a percent; nil if the source does not tell.
  public var revocationPercentage: Int?

  /// The prices that are taken for one, in thousandths of the currency unit.
  package static let prices = 0...1_000_000_000_000

  /// The maximum length of product and group identifiers, in bytes; Apple's have at most 100.
  static let maximumNameLength = 255

  /// Creates a record with the required values.
  public init(transactionID: String, originalTransactionID: String, productID: String) {
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.productID = productID
  }

  /// Creates a record from untrusted texts.
  ///
  /// Returns nil unless the identifiers are 1 to 64 digits and the product has a name. Without an
  /// original identifier the transaction is its own original.
  init?(transactionID: String?, originalTransactionID: String?, productID: String?) {
    guard let transactionID, TransactionIDs.areDigits(transactionID), let productID,
      (1...Self.maximumNameLength).contains(productID.utf8.count)
    else { return nil }
    let original = originalTransactionID ?? transactionID
    guard TransactionIDs.areDigits(original) else { return nil }
    self.init(transactionID: transactionID, originalTransactionID: original, productID: productID)
  }

  /// The store that sold the purchase, which its identifier tells.
  public var vendor: Vendor { TransactionIDs.vendor(of: originalTransactionID) }

  /// Whether Apple refunded or revoked the purchase.
  public var isCancelled: Bool { cancellationDate != nil || hasUnreadableCancellation }

  /// Whether a family member shared the purchase, or an organization or group assigned it.
  ///
  /// Both follow the same rules. Source: App Store Server API rules, section 2.4.
  public var isFamilyShared: Bool { ownership == .familyShared || ownership == .assigned }

  /// Returns whether this identifies the purchase event of a subscription; zeros and empty text do
  /// not.
  static func isPurchaseEvent(_ lineItemID: String?) -> Bool {
    lineItemID?.utf8.contains { $0 != UInt8(ascii: "0") } ?? false
  }

  /// Returns a group identifier from untrusted text, or nil if it is empty or overlong.
  static func groupID(_ text: String?) -> String? {
    text.flatMap { (1...maximumNameLength).contains($0.utf8.count) ? $0 : nil }
  }
}

/// The offer that set the price of a purchase or of a renewal.
public struct PurchaseOffer: Hashable, Sendable {
  public var type: OfferType
  /// The promotional offer, or the reference name of the offer code.
  public var identifier: String?

  /// Creates an offer.
  public init(type: OfferType, identifier: String? = nil) {
    self.type = type
    self.identifier = identifier
  }

  /// Creates an offer from members of verifyReceipt, or returns nil without a promotional offer and
  /// an offer code.
  init?(promotionalOfferID: String?, offerCodeRefName: String?) {
    if let promotionalOfferID, !promotionalOfferID.utf8.isEmpty {
      self.init(type: .promotional, identifier: promotionalOfferID)
    } else if let offerCodeRefName, !offerCodeRefName.utf8.isEmpty {
      self.init(type: .offerCode, identifier: offerCodeRefName)
    } else {
      return nil
    }
  }
}

extension PurchaseRecord {
  /// Returns the date of this charge, or else that of the first charge, or else the end.
  ///
  /// An unreadable date is never taken for 1970.
  package func start(before end: Date) -> Date {
    purchaseDate?.readable ?? originalPurchaseDate?.readable ?? end
  }

  /// Returns whether the transaction had been bought by a date; an unreadable date counts as
  /// bought.
  ///
  /// Source: App Store rules, section 8.1.
  func hasBegun(at date: Date) -> Bool {
    guard let start = purchaseDate?.readable ?? originalPurchaseDate?.readable else { return true }
    return start <= date
  }
}
