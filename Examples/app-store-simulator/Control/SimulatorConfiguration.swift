internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a simulated App Store sells, to whom it tells what happens, and when it begins.
public struct SimulatorConfiguration: Sendable {
  /// The app.
  public var bundleID = "com.example.reader"
  /// Apple's number of the app.
  public var appAppleID = 1_234_567_890
  /// What the app's server has to name when it asks about receipts, and what notifications of
  /// version 1 name.
  public var sharedSecret = "0123456789abcdef0123456789abcdef"
  /// What can be bought.
  public var products = SoldProduct.samples
  /// Where notifications go; nil for nowhere.
  public var webhook: String?
  /// Which notifications are sent.
  public var versions = NotificationVersions.v2
  /// The simulator's time at the beginning.
  public var start: Date

  /// A newspaper's app, without a webhook.
  public init(start: Date) {
    self.start = start
  }

  /// Whether notifications can be sent to an address.
  public static func isWebhook(_ address: String) -> Bool {
    guard let parts = URLComponents(string: address) else { return false }
    return (parts.scheme == "http" || parts.scheme == "https") && parts.host?.isEmpty == false
  }
}

/// Which of Apple's notifications are sent.
public enum NotificationVersions: String, CaseIterable, Sendable {
  /// Those with the shared secret in them.
  case v1
  /// Those that are signed.
  case v2
  /// Of every event one of each.
  case both
  /// None; the list shows what would have been sent.
  case none

  /// The versions of which a notification is made.
  var told: [NotificationVersion] {
    switch self {
    case .v1: [.v1]
    case .v2, .none: [.v2]
    case .both: [.v1, .v2]
    }
  }
}

/// One of Apple's two sorts of notifications.
enum NotificationVersion: String, Sendable {
  case v1, v2
}

/// A subscription that is for sale; all are one group, so that a customer has one at a time.
public struct SoldProduct: Hashable, Sendable {
  /// Its identifier.
  public let id: String
  /// What the page calls it.
  public let name: String
  /// How many days are paid at a time.
  public let days: Int

  /// A product.
  public init(id: String, name: String, days: Int = 30) {
    self.id = id
    self.name = name
    self.days = days
  }

  /// Subscriptions of a newspaper.
  public static let samples = [
    SoldProduct(id: "reader.monthly", name: "Standard, monthly", days: 30),
    SoldProduct(id: "reader.yearly", name: "Standard, yearly", days: 365),
    SoldProduct(id: "reader.premium", name: "Premium, yearly", days: 365),
  ]

  var product: TestProduct {
    TestProduct(id, .autoRenewable(period: .days(days), group: "20000001"))
  }
}
