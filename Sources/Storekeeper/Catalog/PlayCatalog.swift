public import CreditPolicy
public import GooglePlayVerifier
public import OrderPolicy
public import ReceiptModels

/// The products that an app sells at Google Play, as the Play Console has them.
///
/// ```swift
/// let catalog = try await PlayCatalog(readBy: play)
/// for difference in catalog.differences(products: products, credits: credits.products.enabled) {
///   logger.warning("\(difference)")
/// }
/// ```
///
/// Source: Google Play Developer API, `monetization`; Google Play rules, section 11.
public struct PlayCatalog: Sendable {
  public var subscriptions: [PlaySubscriptionProduct]
  public var oneTimeProducts: [PlayOneTimeProduct]

  /// Creates a catalog.
  public init(subscriptions: [PlaySubscriptionProduct], oneTimeProducts: [PlayOneTimeProduct]) {
    self.subscriptions = subscriptions
    self.oneTimeProducts = oneTimeProducts
  }

  /// Reads the whole catalog of an app.
  ///
  /// The service account needs the permission to see the app's information.
  ///
  /// - Throws: ``/GooglePlayVerifier/GooglePlayFailure``.
  public init(
    readBy client: GooglePlayClient, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    self.init(subscriptions: [], oneTimeProducts: [])
    for try await page in client.subscriptionProducts(patience: patience) {
      subscriptions += page.subscriptions
    }
    for try await page in client.oneTimeProducts(patience: patience) {
      oneTimeProducts += page.oneTimeProducts
    }
  }

  /// Compares the catalog with a host's own lists of products.
  ///
  /// The lists name products of both stores, or of Apple alone; of memberships' products without a base plan only those
  /// are compared that Google has. Prices are not compared.
  ///
  /// - Parameters:
  ///   - products: The products that grant memberships.
  ///   - levels: The levels of orders.
  ///   - credits: The credit products that are for sale.
  ///   - others: The identifiers of other products that the host knows, such as those of entitlements.
  /// - Returns: The differences, by product and base plan.
  public func differences(
    products: ProductMap = [:], levels: [SubscriptionLevel] = [], credits: [CreditProduct] = [],
    others: [String] = []
  ) -> [PlayCatalogDifference] {
    var found: Set<PlayCatalogDifference> = []
    for entry in products.plans.keys { found.formUnion(differences(of: entry, in: products)) }
    for id in levels.compactMap(\.googleProductID) {
      if let difference = difference(of: id, isSubscription: true) { found.insert(difference) }
    }
    for id in credits.compactMap(\.googlePlayProductID) {
      if let difference = difference(of: id, isSubscription: false) { found.insert(difference) }
    }
    let known = Set(
      Array(products.plans.keys) + levels.compactMap(\.googleProductID)
        + credits.compactMap(\.googlePlayProductID) + others)
    for product in subscriptions where !known.contains(product.productID) {
      for plan in product.basePlansForSale {
        guard !known.contains("\(product.productID):\(plan.basePlanID)") else { continue }
        found.insert(.unlisted(productID: product.productID, basePlanID: plan.basePlanID))
      }
    }
    for product in oneTimeProducts where product.isForSale && !known.contains(product.productID) {
      found.insert(.unlisted(productID: product.productID, basePlanID: nil))
    }
    return found.sorted { "\($0)".utf8.lexicographicallyPrecedes("\($1)".utf8) }
  }

  /// Compares a product that a host sells at Google Play.
  private func difference(of id: String, isSubscription: Bool) -> PlayCatalogDifference? {
    let subscription = subscriptions.first { $0.productID == id }
    let product = oneTimeProducts.first { $0.productID == id }
    let (isThere, isOther) =
      isSubscription
      ? (subscription != nil, product != nil) : (product != nil, subscription != nil)
    guard isThere else {
      return isOther ? .otherKind(productID: id) : .missing(productID: id, basePlanID: nil)
    }
    let isForSale = subscription.map { !$0.basePlansForSale.isEmpty } ?? product?.isForSale ?? false
    return isForSale ? nil : .notForSale(productID: id)
  }

  /// Compares an entry of the products that grant memberships.
  private func differences(
    of entry: String, in products: ProductMap
  ) -> [PlayCatalogDifference] {
    let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
    guard let id = parts.first, let cycle = products[entry]?.cycle else { return [] }
    let planID = parts.count == 2 ? parts[1] : nil
    guard let subscription = subscriptions.first(where: { $0.productID == id }) else {
      if oneTimeProducts.contains(where: { $0.productID == id }) {
        return [.otherKind(productID: id)]
      }
      // Without a base plan, or with a billing plan of Apple's, it may be sold in the App Store alone.
      guard let planID, !BillingPlanType(rawValue: planID).isKnown else { return [] }
      return [.missing(productID: id, basePlanID: planID)]
    }
    let plans = subscription.basePlans.filter { plan in
      planID.map { $0 == plan.basePlanID } ?? (products["\(id):\(plan.basePlanID)"] == nil)
    }
    if let planID, plans.isEmpty { return [.missing(productID: id, basePlanID: planID)] }
    return plans.compactMap { plan in
      guard plan.state != .draft, let period = plan.billingPeriod,
        let periods = cycle.billingPeriods, !periods.contains(period)
      else { return nil }
      return .otherPeriod(
        productID: id, basePlanID: plan.basePlanID, cycle: cycle, billingPeriod: period)
    }
  }
}

extension PlaySubscriptionProduct {
  fileprivate var basePlansForSale: [BasePlan] {
    isArchived ? [] : basePlans.filter { $0.state == .active }
  }
}

extension PlayOneTimeProduct {
  fileprivate var isForSale: Bool { purchaseOptions.contains { $0.state == .active } }
}

extension BillingCycle {
  /// Google's words for the cycle; nil for a cycle of the host's own.
  fileprivate var billingPeriods: [String]? {
    switch self {
    case .month: ["P1M", "P4W"]
    case .year: ["P1Y", "P12M"]
    default: nil
    }
  }
}
