import EntitlementPolicy
import Foundation
import ReceiptModels

/// The tables of the entitlement rules as Markdown, each row decided anew.
enum RuleTables {
  static var markdown: String {
    """
    # Entitlements

    ## Active subscriptions

    A subscription expires at noon of day 0, with 7 days of grace.

    | environment | Apple's grace period | cancelled | the second before noon of day 0 | day 6 | day 7 | day 16 |
    | --- | --- | --- | --- | --- | --- | --- |
    \(standings.joined(separator: "\n"))

    ## Routes and acquisitions

    The subscription `full` unlocks everything, `lite` unlocks `frames`. The product `brushes` is for
    subscribers only, `frames` and `paper` are for sale, and `coins` are consumable.

    | product | subscription | route | acquire |
    | --- | --- | --- | --- |
    \(routes.joined(separator: "\n"))

    """
  }

  // MARK: Active subscriptions

  private static let expiry = Date(timeIntervalSince1970: 1_777_377_600)

  private static var standings: [String] {
    [AppStoreEnvironment.production, .sandbox].flatMap { environment in
      [false, true].flatMap { hasGrace in
        [false, true].map { isCancelled in
          let subscription = SubscriptionCandidate(
            bundleID: "com.example.draw", productID: "full", environment: environment,
            originalTransactionID: "1", lastPurchaseDate: expiry - 30 * day, expiresDate: expiry,
            gracePeriodExpiresDate: hasGrace ? expiry + 16 * day : nil,
            cancellationDate: isCancelled ? expiry - 10 * day : nil)
          let standing = SubscriptionStanding(subscription, isSuspended: false, options: .standard)
          let moments = [expiry - 1, expiry + 6 * day, expiry + 7 * day, expiry + 16 * day]
          return row(
            [environment.rawValue, hasGrace ? "16 days" : "", isCancelled ? "yes" : ""]
              + moments.map { standing.isActive(at: $0) ? "active" : "inactive" })
        }
      }
    }
  }

  private static let day: TimeInterval = 86_400

  // MARK: Routes

  private static var routes: [String] {
    guard let catalog = try? ProductCatalog(json: Array(list.utf8)) else { return [] }
    return catalog.products.map(\.identifier).flatMap { product in
      [nil, "full", "lite"].map { subscription in
        let entitlements = Entitlements(
          of: Holdings(
            purchases: AppPurchases(
              bundleID: "com.example.draw",
              subscriptions: subscription.map { [candidate($0)] } ?? [])),
          catalog: catalog, at: expiry - 1)
        return row([
          "`\(product)`", subscription.map { "`\($0)`" } ?? "none",
          word(entitlements.purchaseRoute(of: product)),
          word(entitlements.acquisition(of: product)),
        ])
      }
    }
  }

  private static func candidate(_ product: String) -> SubscriptionCandidate {
    SubscriptionCandidate(
      bundleID: "com.example.draw", productID: product, originalTransactionID: "1",
      lastPurchaseDate: expiry - 30 * day, expiresDate: expiry)
  }

  private static func word(_ route: PurchaseRoute) -> String {
    switch route {
    case .storePurchase: "`storePurchase`"
    case .acquire: "`acquire`"
    case .refused(let refusal): "refused `\(refusal.rawValue)`"
    }
  }

  private static func word(_ acquisition: Acquisition) -> String {
    switch acquisition {
    case .acquire: "created"
    case .alreadyHeld: "held"
    case .refused(let refusal): "refused `\(refusal.rawValue)`"
    }
  }

  private static let list = """
    [{"identifier": "brushes", "productType": "nonConsumable", "isSubscribersOnly": true},
     {"identifier": "frames", "productType": "nonConsumable"},
     {"identifier": "paper", "productType": "nonConsumable"},
     {"identifier": "coins", "productType": "consumable"},
     {"identifier": "full", "productType": "renewableSubscription"},
     {"identifier": "lite", "productType": "renewableSubscription", "unlocks": ["frames"]}]
    """

  private static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}
