public import ReceiptModels

/// A level of a subscription, as an app shows it for sale.
///
/// Source: entitlement rules, section 12; its seed calls it `Subscription`.
public struct SubscriptionLevel: Hashable, Sendable {
  public var name: String
  public var description: String
  /// The number of things of the host that a subscriber may have.
  public var quota: Int
  /// The monthly fee, in a currency that the host knows.
  public var fee: MonthlyFee
  /// The product in the App Store, which no other level has; nil if it is not sold there.
  public var appleProductID: String?
  /// The product in Google Play, which no other level has; nil if it is not sold there.
  public var googleProductID: String?

  /// Creates a level; nothing is checked.
  public init(
    name: String, description: String, quota: Int, fee: MonthlyFee,
    appleProductID: String? = nil, googleProductID: String? = nil
  ) {
    self.name = name
    self.description = description
    self.quota = quota
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
