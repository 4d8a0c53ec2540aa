#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the rules of subscriptions need of one transaction, whatever its source.
///
/// Make it from a ``ReceiptTransaction``, an ``AppReceipt/Purchase`` or a ``Transaction``. Whether
/// Apple said it is for the caller to know: nothing is verified here.
///
/// Source: contract on signed data, sections 5.4, 5.5, 6.5 and 8.1.
public struct PurchaseRecord: Hashable, Sendable {
  // MARK: Identity

  /// The identifier of this charge.
  public var transactionID: String
  /// The identifier of the first charge, stable over renewals.
  public var originalTransactionID: String
  /// The identifier of the product.
  public var productID: String
  /// What kind of product it is, or nil where the source does not tell, as verifyReceipt.
  public var productType: ProductType?
  /// The group of subscriptions that the product is part of.
  public var subscriptionGroupID: String?
  /// The identifier of the purchase event of a subscription.
  public var webOrderLineItemID: String?
  /// The account that the app named when buying.
  public var appAccountToken: UUID?
  /// How many were bought.
  public var quantity: Int = 1
  /// How the customer came to own the purchase.
  public var ownership: InAppOwnershipType?
  /// Where the purchase was made.
  public var environment: AppStoreEnvironment?

  // MARK: Time

  /// When this charge was made.
  public var purchaseDate: Date?
  /// When the first charge was made.
  public var originalPurchaseDate: Date?
  /// When the period that was paid for ends; nil when there is none, or when it is unreadable.
  public var expiresDate: Date?
  /// Whether this is a subscription without an expiry that can be read: it entitles to nothing.
  ///
  /// That it is one follows from an unreadable expiry, or from what only subscriptions have: the
  /// identifier of a purchase event, a group, a word on upgrades, a trial.
  public var hasUnreadableExpiry: Bool = false
  /// Whether a newer list of the same source names the original transaction, but not this charge:
  /// then this is of the past, and decides nothing at present.
  public var isOutdated: Bool = false
  /// When Apple signed this; of two copies of a transaction the later one counts.
  public var signedDate: Date?

  // MARK: Cancellation

  /// When Apple refunded or revoked the purchase.
  public var cancellationDate: Date?
  /// Whether the source has a cancellation date that cannot be read: it counts as cancelled.
  public var hasUnreadableCancellation: Bool = false
  /// Why Apple did so.
  public var revocationReason: RevocationReason?
  /// How far Apple took the purchase back, where the source tells.
  public var revocationType: RevocationType?
  /// Whether the customer upgraded to another subscription, which replaces this one.
  public var isUpgraded: Bool = false

  // MARK: Offer

  /// Whether it is a free trial, or nil where the source does not tell.
  public var isTrialPeriod: Bool?
  /// Whether it is of a paid introductory offer, or nil where the source does not tell.
  public var isInIntroOfferPeriod: Bool?
  /// Whether the source says something of trial or introductory offer that cannot be read.
  public var hasUnreadableOffer: Bool = false
  /// The offer that set the price.
  public var offer: PurchaseOffer?

  /// The most bytes of a product identifier and of a group's that are read; Apple's have at most
  /// 100.
  static let maximumNameLength = 255

  /// A record with what every transaction has.
  public init(transactionID: String, originalTransactionID: String, productID: String) {
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.productID = productID
  }

  /// A record whose texts come from outside.
  ///
  /// Nil unless the identifiers are 1 to 64 digits and the product has a name. Without an original
  /// identifier the transaction is its own original.
  init?(transactionID: String?, originalTransactionID: String?, productID: String?) {
    guard let transactionID, TransactionIDs.areDigits(transactionID), let productID,
      (1...Self.maximumNameLength).contains(productID.utf8.count)
    else { return nil }
    let original = originalTransactionID ?? transactionID
    guard TransactionIDs.areDigits(original) else { return nil }
    self.init(transactionID: transactionID, originalTransactionID: original, productID: productID)
  }
}

extension PurchaseRecord {
  /// Whether Apple refunded or revoked the purchase.
  public var isCancelled: Bool { cancellationDate != nil || hasUnreadableCancellation }

  /// Whether the customer has it from a family member.
  public var isFamilyShared: Bool { ownership == .familyShared }

  /// Whether a source names the purchase event of a subscription; zeros and an empty text stand for
  /// none.
  static func isPurchaseEvent(_ lineItemID: String?) -> Bool {
    lineItemID?.utf8.contains { $0 != UInt8(ascii: "0") } ?? false
  }

  /// A group's identifier from outside; an empty one and an overlong one are none.
  static func groupID(_ text: String?) -> String? {
    text.flatMap { (1...maximumNameLength).contains($0.utf8.count) ? $0 : nil }
  }
}
