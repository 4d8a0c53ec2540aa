internal import ReceiptModels

/// A product that an ``AppStoreSimulator`` sells.
public struct TestProduct: Hashable, Sendable {
  /// The product's identifier.
  public var id: String
  public var kind: Kind
  /// The price, or that of a period, in thousandths of the currency unit; nil if what is signed tells none.
  public var price: Int?
  /// The price of twelve periods that the customer commits to and pays one by one, in thousandths of the currency
  /// unit; nil if the product has no such plan.
  public var commitmentPrice: Int?
  /// The identifiers of the offers for customers whose subscription has lapsed, better ones first.
  public var winBackOffers: [String] = []

  /// Creates a product.
  public init(_ id: String, _ kind: Kind) {
    self.id = id
    self.kind = kind
  }

  /// A kind of product.
  public enum Kind: Hashable, Sendable {
    /// Used up, and removed from receipts once it is finished.
    case consumable
    case nonConsumable
    /// Valid for a period that the app measures; Apple does not know it.
    case nonRenewing
    /// A period that renews, in a group of which a customer has one subscription at a time.
    case autoRenewable(period: Duration, group: String)
  }

  /// The products of a new simulator, those of a reading app.
  ///
  /// `reader.monthly`, `reader.yearly` and `reader.premium` renew after 30, 365 and 365 days and
  /// form one group; `reader.course` does not renew; `reader.lifetime` is bought once;
  /// `reader.coffee` is a consumable.
  public static let samples: [TestProduct] = [
    TestProduct("reader.monthly", .autoRenewable(period: .days(30), group: "20000001")),
    TestProduct("reader.yearly", .autoRenewable(period: .days(365), group: "20000001")),
    TestProduct("reader.premium", .autoRenewable(period: .days(365), group: "20000001")),
    TestProduct("reader.course", .nonRenewing),
    TestProduct("reader.lifetime", .nonConsumable),
    TestProduct("reader.coffee", .consumable),
  ]
}

/// The offer that sets the price of a purchase at an ``AppStoreSimulator``.
public enum TestOffer: Hashable, Sendable {
  case trial
  /// A paid introductory offer.
  case introductory
  case promotional(String)
  /// An offer code, by its reference name.
  case code(String)
  /// An offer for a customer whose subscription has lapsed; see ``TestProduct/winBackOffers``.
  case winBack(String)
}

/// An app that a ``TestDeveloper`` sells, with its products.
public struct TestApp: Hashable, Sendable {
  public var bundleID: String
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
