internal import JSONValues

/// Everything that is stored about a user for one app.
///
/// Source: entitlement rules, sections 4 and 6.2.
public struct Holdings: Hashable, Sendable {
  public var purchases: AppPurchases
  /// The purchases in the bundled apps, of which only the subscriptions count.
  public var bundled: [AppPurchases]
  /// The products that the user acquired in this app.
  public var acquired: [AcquiredProduct]
  /// The validations of this app and of the bundled ones.
  public var validations: [AppValidation]

  /// Creates what is stored about a user.
  public init(
    purchases: AppPurchases, bundled: [AppPurchases] = [], acquired: [AcquiredProduct] = [],
    validations: [AppValidation] = []
  ) {
    self.purchases = purchases
    self.bundled = bundled
    self.acquired = acquired
    self.validations = validations
  }

  /// The validation of an app, or nil if there was none.
  func validation(of bundleID: String) -> AppValidation? {
    validations.first { $0.bundleID.isSameText(as: bundleID) }
  }
}
