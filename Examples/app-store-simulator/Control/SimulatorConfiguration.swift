public import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The products, the webhook and the start of a simulated App Store.
public struct SimulatorConfiguration: Sendable {
  /// The app.
  public var bundleID = "com.example.reader"
  /// Apple's identifier of the app.
  public var appAppleID = 1_234_567_890
  /// The secret that requests about receipts and notifications of version 1 contain.
  public var sharedSecret = "0123456789abcdef0123456789abcdef"
  /// The key for the server APIs; nil for a new one.
  public var serverAPIKey: TestServerAPIKey?
  /// The subscriptions for sale.
  public var products = SoldProduct.samples
  /// The packs for sale.
  public var packs: [SoldPack] = []
  /// The address for notifications; nil for none.
  public var webhook: String?
  /// The versions of notifications that are sent.
  public var versions = NotificationVersions.v2
  /// The simulator's time at the start.
  public var start: Date

  /// Creates a configuration for a reading app, without a webhook.
  public init(start: Date) {
    self.start = start
  }

  /// Whether notifications can be sent to an address.
  public static func isWebhook(_ address: String) -> Bool {
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

  /// The versions of the recorded notifications.
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

/// A subscription for sale; all belong to one group, so that a customer has one at a time.
public struct SoldProduct: Hashable, Sendable {
  /// The product identifier.
  public let id: String
  /// The name on the page.
  public let name: String
  /// The length of a period in days.
  public let days: Int

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

  var product: TestProduct {
    TestProduct(id, .autoRenewable(period: .days(days), group: "20000001"))
  }
}

/// A pack for sale, which is used up and can be bought again: a consumable.
public struct SoldPack: Hashable, Sendable {
  /// The product identifier.
  public let id: String
  /// The name on the page.
  public let name: String

  /// Creates a pack.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  var product: TestProduct { TestProduct(id, .consumable) }
}
