import EntitlementPolicy
import Foundation
import ReceiptModels

/// The app of the acceptance matrix, with its list K (entitlement rules, section 11).
enum DrawApp {
  static let bundleID = "com.example.draw"

  /// The identifier of a product by its short name.
  static func id(_ name: String) -> String { "\(bundleID).\(name)" }

  static func ids(_ names: String...) -> [String] { names.map(id) }

  /// The list K, where the subscription `full.monthly` has these entries under `unlocks`.
  static func list(unlocks: String = "null") -> String {
    """
    [
      {"identifier": "com.example.draw.brushes", "productType": "nonConsumable",
       "isSubscribersOnly": true},
      {"identifier": "com.example.draw.frames", "productType": "nonConsumable"},
      {"identifier": "com.example.draw.frames.gold", "productType": "nonConsumable",
       "isSubscribersOnly": true},
      {"identifier": "com.example.draw.paper", "productType": "nonConsumable"},
      {"identifier": "com.example.draw.coins", "productType": "consumable"},
      {"identifier": "com.example.draw.full.monthly", "productType": "renewableSubscription",
       "discountedProducts": ["com.example.draw.full25.monthly"], "unlocks": \(unlocks)},
      {"identifier": "com.example.draw.lite.monthly", "productType": "renewableSubscription",
       "unlocks": ["com.example.draw.f*", "com.example.draw.paper"]}
    ]
    """
  }

  static func catalog(unlocks: String = "null") throws -> ProductCatalog {
    try ProductCatalog(json: Array(list(unlocks: unlocks).utf8))
  }

  /// All products that a subscription can unlock.
  static let unlockable = ids("brushes", "frames", "frames.gold", "paper")
}

extension Date {
  /// The beginning of a day, counted from an arbitrary one.
  static func day(_ number: Double) -> Date {
    Date(timeIntervalSince1970: 1_777_334_400 + number * 86_400)
  }
}

extension SubscriptionCandidate {
  /// A subscription of a month, which ends at the beginning of a day.
  static func monthly(
    _ name: String = "full.monthly", ends day: Double, cancelled: Double? = nil,
    grace: Double? = nil, in environment: AppStoreEnvironment = .production,
    of bundleID: String = DrawApp.bundleID, id: String = "2000000000000001",
    failedOn failure: Double? = nil
  ) -> SubscriptionCandidate {
    SubscriptionCandidate(
      bundleID: bundleID, productID: "\(bundleID).\(name)", environment: environment,
      originalTransactionID: id, lastPurchaseDate: .day(day - 30), expiresDate: .day(day),
      gracePeriodExpiresDate: grace.map(Date.day), cancellationDate: cancelled.map(Date.day),
      firstFailureDate: failure.map(Date.day))
  }
}

/// A user of the app, and what is stored about that user.
struct DrawUser {
  var purchased: [String] = []
  var subscriptions: [SubscriptionCandidate] = []
  var bundled: [AppPurchases] = []
  var acquired: [String] = []
  var validations: [AppValidation] = []
  var options = EntitlementOptions.standard
  var unlocks = "null"

  /// The answers for the user at the beginning of a day.
  func entitlements(day: Double) throws -> Entitlements {
    let holdings = Holdings(
      purchases: AppPurchases(
        bundleID: DrawApp.bundleID, productIDs: purchased.map(DrawApp.id),
        subscriptions: subscriptions),
      bundled: bundled,
      acquired: acquired.map {
        AcquiredProduct(
          productID: DrawApp.id($0), acquiredDate: .day(0),
          viaProductID: DrawApp.id("full.monthly"))
      },
      validations: validations)
    return Entitlements(
      of: holdings, catalog: try DrawApp.catalog(unlocks: unlocks), options: options, at: .day(day))
  }

  /// The same user with every list in every order.
  var orders: [DrawUser] {
    subscriptions.permutations.flatMap { subscriptions in
      bundled.permutations.flatMap { bundled in
        acquired.permutations.map { acquired in
          var user = self
          user.subscriptions = subscriptions
          user.bundled = bundled
          user.acquired = acquired
          user.purchased.reverse()
          user.validations.reverse()
          return user
        }
      }
    }
  }
}

extension Array {
  /// All orders of the elements; of more than four, some orders.
  var permutations: [[Element]] {
    guard count > 1 else { return [self] }
    guard count <= 4 else {
      return [self, reversed()] + indices.map { Array(self[$0...] + self[..<$0]) }
    }
    return indices.flatMap { index in
      var rest = self
      let first = rest.remove(at: index)
      return rest.permutations.map { [first] + $0 }
    }
  }
}
