#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A level of a subscription, as an app shows it for sale.
///
/// Source: entitlement rules, section 12; its seed calls it `Subscription`.
public struct SubscriptionLevel: Hashable, Sendable {
  /// The name, which no other level has.
  public var name: String
  /// A text for the user.
  public var description: String
  /// The number of portfolios that a subscriber may have.
  public var portfolioLimit: Int
  /// The monthly fee, in a currency that the host knows.
  public var fee: MonthlyFee
  /// The product in the App Store, which no other level has; nil if it is not sold there.
  public var appleProductID: String?
  /// The product in Google Play, which no other level has; nil if it is not sold there.
  public var googleProductID: String?

  /// Creates a level; nothing is checked.
  public init(
    name: String, description: String, portfolioLimit: Int, fee: MonthlyFee,
    appleProductID: String? = nil, googleProductID: String? = nil
  ) {
    self.name = name
    self.description = description
    self.portfolioLimit = portfolioLimit
    self.fee = fee
    self.appleProductID = appleProductID
    self.googleProductID = googleProductID
  }

  /// The product of a vendor, or nil if the level is not sold there.
  public func productID(of vendor: Vendor) -> String? {
    switch vendor {
    case .apple: appleProductID
    case .google: googleProductID
    default: nil
    }
  }
}

/// The level of a user, and until when it was bought.
///
/// Source: entitlement rules, section 12.
public struct UserSubscription: Hashable, Sendable {
  /// The level.
  public var level: SubscriptionLevel
  /// The store that sold it.
  public var vendor: Vendor
  /// The end of what the vendor has confirmed.
  ///
  /// It may be past while the vendor cannot be asked.
  public var expiration: Date

  /// Creates a subscription of a user.
  public init(level: SubscriptionLevel, vendor: Vendor, expiration: Date) {
    self.level = level
    self.vendor = vendor
    self.expiration = expiration
  }
}
