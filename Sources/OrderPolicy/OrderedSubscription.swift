public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The stored subscription of a user, of which there is one at most.
///
/// Source: entitlement rules, section 12.
public struct OrderedSubscription: Hashable, Sendable {
  public var userID: AccountID
  public var levelName: String
  public var purchaseKey: PurchaseKey
  /// The evidence for the next validation, 1 byte to 1 MiB.
  public var receiptData: String
  /// The end of what the vendor has confirmed.
  public var expiration: Date
  /// The date of the last answer of the vendor.
  public var validatedDate: Date

  /// Creates a stored subscription.
  public init(
    userID: AccountID, levelName: String, purchaseKey: PurchaseKey, receiptData: String,
    expiration: Date, validatedDate: Date
  ) {
    self.userID = userID
    self.levelName = levelName
    self.purchaseKey = purchaseKey
    self.receiptData = receiptData
    self.expiration = expiration
    self.validatedDate = validatedDate
  }

  /// Whether everything is the same, also the environment of a purchase at Google, which its key leaves open.
  public static func == (one: OrderedSubscription, other: OrderedSubscription) -> Bool {
    one.userID == other.userID && one.levelName == other.levelName
      && one.purchaseKey == other.purchaseKey && one.environment == other.environment
      && one.receiptData == other.receiptData && one.expiration == other.expiration
      && one.validatedDate == other.validatedDate
  }

  /// The store that sold it.
  public var vendor: Vendor { purchaseKey.vendor }

  /// The environment of the purchase.
  public var environment: AppStoreEnvironment { purchaseKey.environment }

  /// Returns whether the user has the subscription where these environments count.
  ///
  /// One that no longer counts stays stored until its vendor is asked again.
  public func counts(in environments: CountedEnvironments) -> Bool {
    environments.count(environment, for: Account(id: userID))
  }
}

extension OrderedSubscription: CustomStringConvertible, CustomReflectable {
  /// The level and the vendor, never the evidence.
  public var description: String { "OrderedSubscription(\(levelName), \(vendor.rawValue))" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
