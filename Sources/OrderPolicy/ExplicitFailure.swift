public import ReceiptModels

/// A vendor's word that a purchase gives no subscription.
///
/// Source: entitlement rules, sections 13 and 14.
public struct ExplicitFailure: Error, Hashable, Sendable {
  /// A reason; its raw value is the code in answers.
  @nonexhaustive
  public enum Reason: String, Hashable, Sendable {
    /// The evidence is none, or of another app or environment.
    case invalid
    case expired
    case noSubscription = "no_subscription"
    case unknownProduct = "unknown_product"
    case paymentPending = "payment_pending"
    /// The purchase belongs to another user.
    case alreadyUsed = "already_used"
  }

  public var reason: Reason
  /// The key of the purchase, where the vendor's answer named one.
  public var purchaseKey: PurchaseKey?

  /// Whether another purchase of the same customer took the place of this one, whose claim stays its owner's.
  public var isReplaced: Bool

  /// Creates a failure.
  public init(_ reason: Reason, purchaseKey: PurchaseKey? = nil, isReplaced: Bool = false) {
    self.reason = reason
    self.purchaseKey = purchaseKey
    self.isReplaced = isReplaced
  }
}
