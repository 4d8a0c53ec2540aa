/// An app that a ``TestDeveloper`` sells, with its products.
public struct TestApp: Hashable, Sendable {
  /// The bundle ID of the app.
  public var bundleID: String
  /// The products for sale.
  public var products: [TestProduct]
  /// Apple's identifier of the app; nil for one that the developer chooses.
  public var appAppleID: Int?

  /// Creates an app.
  public init(_ bundleID: String, products: [TestProduct], appAppleID: Int? = nil) {
    self.bundleID = bundleID
    self.products = products
    self.appAppleID = appAppleID
  }
}
