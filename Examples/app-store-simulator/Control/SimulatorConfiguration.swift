import ReceiptModels
public import StoreSimulators

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The products, the webhook and the start of a simulated App Store.
public struct SimulatorConfiguration: Sendable {
  /// The first app.
  public var bundleID = "com.example.reader"
  /// Apple's identifier of the app.
  public var appAppleID = 1_234_567_890
  /// The secret that requests about receipts and notifications of version 1 contain.
  public var sharedSecret = "0123456789abcdef0123456789abcdef"
  /// The key for the server APIs; nil for a new one.
  public var serverAPIKey: TestServerAPIKey?
  /// The subscriptions for sale.
  public var products = SoldProduct.samples
  /// The products that are bought once, or any number of times.
  public var packs: [SoldPack] = []
  /// The other apps of the developer, each with products of its own.
  public var otherApps: [SoldApp] = []
  /// The address for notifications; nil for none.
  public var webhook: String?
  /// The address of the host's desk; nil for none.
  public var desk: String?
  /// The versions of notifications that are sent.
  public var versions = NotificationVersions.v2
  /// The Play store beside the App Store; nil for none.
  public var play: PlayStoreConfiguration?
  /// The simulator's time at the start.
  public var start: Date

  /// All apps, the first one first.
  public var apps: [SoldApp] {
    [SoldApp(bundleID: bundleID, appAppleID: appAppleID, products: products, packs: packs)]
      + otherApps
  }

  /// Creates a configuration for a reading app, without a webhook.
  public init(start: Date) {
    self.start = start
  }

  /// Whether a text is the address of a server.
  public static func isAddress(_ address: String) -> Bool {
    guard let parts = URLComponents(string: address) else { return false }
    return (parts.scheme == "http" || parts.scheme == "https") && parts.host?.isEmpty == false
  }
}

/// The versions of Apple's notifications that are sent.
public enum NotificationVersions: String, CaseIterable, Sendable {
  /// Version 1, with the shared secret inside.
  case v1
  /// Version 2, signed.
  case v2
  /// Both versions of each notification.
  case both
  /// None; the list shows the notifications that would have been sent.
  case none

  var recorded: [NotificationVersion] {
    switch self {
    case .v1: [.v1]
    case .v2, .none: [.v2]
    case .both: [.v1, .v2]
    }
  }
}

/// A version of Apple's notifications.
enum NotificationVersion: String, Sendable {
  case v1, v2
}

/// An app with its products.
public struct SoldApp: Hashable, Sendable {
  public let bundleID: String
  /// Apple's identifier of the app.
  public let appAppleID: Int
  /// The subscriptions for sale.
  public var products: [SoldProduct]
  /// The products that are bought once, or any number of times.
  public var packs: [SoldPack]

  /// Creates an app.
  public init(
    bundleID: String, appAppleID: Int, products: [SoldProduct] = [], packs: [SoldPack] = []
  ) {
    self.bundleID = bundleID
    self.appAppleID = appAppleID
    self.products = products
    self.packs = packs
  }

  /// The app at place `number` of the developer's list, which has a group of subscriptions of its own.
  func app(_ number: Int) -> TestApp {
    let group = String(20_000_001 + number)
    return TestApp(
      bundleID, products: products.map { $0.product(in: group) } + packs.map(\.product),
      appAppleID: appAppleID)
  }
}

/// A subscription for sale; those of an app belong to one group, so that a customer has one at a time.
public struct SoldProduct: Hashable, Sendable {
  /// The product identifier.
  public let id: String
  /// The name on the page.
  public let name: String
  /// The length of a period in days.
  public let days: Int
  /// The price of twelve periods that the customer commits to and pays one by one, in thousandths of the currency
  /// unit; nil if the product has no such plan.
  public var commitmentPrice: Int?
  /// The identifiers of the offers for customers whose subscription has lapsed, better ones first.
  public var winBackOffers: [String] = []

  /// Creates a product.
  public init(id: String, name: String, days: Int = 30) {
    self.id = id
    self.name = name
    self.days = days
  }

  /// The subscriptions of a reading app.
  public static let samples = [
    SoldProduct(id: "reader.monthly", name: "Standard, monthly", days: 30),
    SoldProduct(id: "reader.yearly", name: "Standard, yearly", days: 365),
    SoldProduct(id: "reader.premium", name: "Premium, yearly", days: 365),
  ]

  func product(in group: String) -> TestProduct {
    var product = TestProduct(id, .autoRenewable(period: .days(days), group: group))
    product.commitmentPrice = commitmentPrice
    product.winBackOffers = winBackOffers
    return product
  }
}

/// A product for sale that does not renew: by default a pack, which is used up and can be bought again.
public struct SoldPack: Hashable, Sendable {
  /// The product identifier.
  public let id: String
  /// The name on the page.
  public let name: String
  /// The kind of the product.
  public let kind: Kind

  /// A kind of product that does not renew.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Used up, and bought any number of times.
    case consumable
    /// Owned permanently.
    case nonConsumable
    /// Valid for a period that the app measures.
    case nonRenewing
  }

  /// Creates a product.
  public init(id: String, name: String, kind: Kind = .consumable) {
    self.id = id
    self.name = name
    self.kind = kind
  }

  var product: TestProduct {
    switch kind {
    case .consumable: TestProduct(id, .consumable)
    case .nonConsumable: TestProduct(id, .nonConsumable)
    case .nonRenewing: TestProduct(id, .nonRenewing)
    }
  }
}
