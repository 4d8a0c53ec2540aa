public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A purchase that gives a subscription.
///
/// Source: entitlement rules, section 13.
public struct VendorPurchase: Hashable, Sendable {
  /// The product that the user has now.
  public var productID: String
  /// The billing plan within the product: Apple's `billingPlanType`, or Google's base plan; nil if none is known.
  public var planID: String?
  /// The end of what was bought.
  public var expiration: Date
  /// The key of the purchase, which stays the same through renewals.
  public var purchaseKey: PurchaseKey
  /// The evidence to keep for the next validation, or nil to keep what was sent.
  public var receiptData: String?
  /// The keys of the older purchases that this one continues at the vendor, the nearest first: the one that it
  /// replaced, the one that was replaced by that, and so on.
  public var linkedPurchaseKeys: [PurchaseKey]
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
    productID: String, planID: String? = nil, expiration: Date, purchaseKey: PurchaseKey,
    receiptData: String? = nil, linkedPurchaseKeys: [PurchaseKey] = [], accountMark: String? = nil,
    needsAcknowledgement: Bool = false, isPresent: Bool = true
  ) {
    self.productID = productID
    self.planID = planID
    self.expiration = expiration
    self.purchaseKey = purchaseKey
    self.receiptData = receiptData
    self.linkedPurchaseKeys = linkedPurchaseKeys
    self.accountMark = accountMark
    self.needsAcknowledgement = needsAcknowledgement
    self.isPresent = isPresent
  }

  /// The environment of the purchase.
  public var environment: AppStoreEnvironment { purchaseKey.environment }
}

extension VendorPurchase: CustomStringConvertible, CustomReflectable {
  /// The product and the end, never the evidence.
  public var description: String { "VendorPurchase(\(productID), \(expiration))" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
