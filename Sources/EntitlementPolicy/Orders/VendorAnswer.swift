#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A vendor's word about evidence of a subscription.
///
/// Source: entitlement rules, section 13.
@nonexhaustive
public enum VendorAnswer: Hashable, Sendable {
  /// The purchase gives a subscription now.
  case valid(VendorPurchase)
  /// The vendor said that it gives none.
  case explicitFailure(ExplicitFailure)
  /// Nothing was learned.
  case incidentalFailure(IncidentalFailure)
}

/// A purchase that gives a subscription.
///
/// Source: entitlement rules, section 13.
public struct VendorPurchase: Hashable, Sendable {
  /// The product that the user has now.
  public var productID: String
  /// The end of what was bought.
  public var expiration: Date
  /// The key of the purchase, which stays the same through renewals.
  ///
  /// For Apple the environment and the original transaction identifier, for Google the SHA-256 of the token.
  public var purchaseKey: String
  /// The evidence to keep for the next validation, or nil to keep what was sent.
  public var receiptData: String?
  /// The key of the older purchase that this one replaced at the vendor, or nil.
  public var linkedPurchaseKey: String?
  /// The text by which the host's app marked the user at the vendor, or nil.
  ///
  /// For Apple the app account token, for Google the obfuscated external account identifier.
  public var accountMark: String?
  /// Whether the vendor refunds the purchase unless it is acknowledged.
  public var needsAcknowledgement: Bool
  /// Whether the vendor was asked; false if the evidence alone decided, which may be older than what is stored.
  public var isPresent: Bool

  /// Creates a purchase.
  public init(
    productID: String, expiration: Date, purchaseKey: String, receiptData: String? = nil,
    linkedPurchaseKey: String? = nil, accountMark: String? = nil,
    needsAcknowledgement: Bool = false, isPresent: Bool = true
  ) {
    self.productID = productID
    self.expiration = expiration
    self.purchaseKey = purchaseKey
    self.receiptData = receiptData
    self.linkedPurchaseKey = linkedPurchaseKey
    self.accountMark = accountMark
    self.needsAcknowledgement = needsAcknowledgement
    self.isPresent = isPresent
  }
}

/// The purpose of a check, on which the meaning of some answers depends.
public enum VendorCheckPurpose: Hashable, Sendable {
  /// A user sent the evidence.
  case order
  /// Evidence that was good before is checked again.
  case revalidation
}

/// A vendor's word that a purchase gives no subscription.
///
/// Source: entitlement rules, sections 13 and 14.
public struct ExplicitFailure: Error, Hashable, Sendable {
  /// A reason; its raw value is the code in answers.
  @nonexhaustive
  public enum Reason: String, Hashable, Sendable {
    /// The evidence is none, or of another app or environment.
    case invalid
    /// The subscription has ended or was revoked.
    case expired
    /// The evidence has no subscription.
    case noSubscription = "no_subscription"
    /// No level has the product.
    case unknownProduct = "unknown_product"
    /// The payment has not arrived.
    case paymentPending = "payment_pending"
    /// The purchase belongs to another user.
    case alreadyUsed = "already_used"
  }

  /// The reason.
  public var reason: Reason
  /// The key of the purchase, where the vendor's answer named one.
  public var purchaseKey: String?

  /// Creates a failure.
  public init(_ reason: Reason, purchaseKey: String? = nil) {
    self.reason = reason
    self.purchaseKey = purchaseKey
  }
}

/// A failure that says nothing about a purchase, which therefore stays as it is.
///
/// Source: entitlement rules, section 13.
public struct IncidentalFailure: Error, Hashable, Sendable {
  /// A reason.
  @nonexhaustive
  public enum Reason: String, Hashable, Sendable {
    /// The vendor could not be reached, or did not answer in time.
    case unreachable
    /// The vendor has an outage, or asks to wait.
    case busy
    /// The answer could not be read.
    case unreadable
    /// The vendor refused our request or our credentials.
    case refused
    /// The vendor refused evidence that was good before, in a way that a wrong setting of ours can cause.
    case doubtful
    /// The payment of a renewal has not arrived.
    case paymentPending
    /// The evidence is of another app, although it was good before.
    case otherApp
    /// No level has the product, although one had before.
    case unknownProduct
    /// The evidence leads to a purchase of another user, although it was the user's own before.
    case otherOwner
  }

  /// The reason.
  public var reason: Reason
  /// The pause that the vendor asked for, or nil.
  public var retryAfter: Duration?
  /// Whether somebody should look after it, because it does not pass by itself.
  public var needsAttention: Bool

  /// Creates a failure.
  public init(_ reason: Reason, retryAfter: Duration? = nil, needsAttention: Bool = false) {
    self.reason = reason
    self.retryAfter = retryAfter
    self.needsAttention = needsAttention
  }
}

extension VendorPurchase: CustomStringConvertible, CustomReflectable {
  /// The product and the end, never the evidence.
  public var description: String { "VendorPurchase(\(productID), \(expiration))" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
