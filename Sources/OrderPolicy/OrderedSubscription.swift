internal import JSONValues
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
  /// The store that sold it.
  public var vendor: Vendor
  /// The environment of the purchase.
  public var environment: AppStoreEnvironment
  public var purchaseKey: String
  /// The evidence for the next validation, 1 byte to 1 MiB.
  public var receiptData: String
  /// The end of what the vendor has confirmed.
  public var expiration: Date
  /// The date of the last answer of the vendor.
  public var validatedDate: Date

  /// Creates a stored subscription.
  public init(
    userID: AccountID, levelName: String, vendor: Vendor,
    environment: AppStoreEnvironment = .production, purchaseKey: String, receiptData: String,
    expiration: Date, validatedDate: Date
  ) {
    self.userID = userID
    self.levelName = levelName
    self.vendor = vendor
    self.environment = environment
    self.purchaseKey = purchaseKey
    self.receiptData = receiptData
    self.expiration = expiration
    self.validatedDate = validatedDate
  }

  /// Returns whether the user has the subscription where these environments count.
  ///
  /// One that no longer counts stays stored until its vendor is asked again.
  public func counts(in environments: CountedEnvironments) -> Bool {
    environments.count(environment, for: Account(id: userID))
  }

  /// Whether this is the purchase with a key.
  package func isOf(_ vendor: Vendor, _ purchaseKey: String) -> Bool {
    self.vendor == vendor && self.purchaseKey.isSameText(as: purchaseKey)
  }
}

extension OrderedSubscription: CustomStringConvertible, CustomReflectable {
  /// The level and the vendor, never the evidence.
  public var description: String { "OrderedSubscription(\(levelName), \(vendor.rawValue))" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
