import StoreSimulators
import Storekeeper
import Testing

@Suite("Comparison with the catalog of the Play Console")
struct PlayCatalogTests {
  private static func plan(_ id: String, days: Int, isActive: Bool = true) -> PlayBasePlan {
    var plan = PlayBasePlan(id, period: .days(days))
    plan.isActive = isActive
    return plan
  }

  /// What the simulator sells, read by the client.
  private func catalog(_ products: [PlayProduct]) async throws -> PlayCatalog {
    let play = try PlayStoreSimulator(packageName: PlayScene.packageName, products: products) {
      $0.serviceAccount = PlayScene.account
    }
    return try await PlayCatalog(readBy: PlayScene.client(of: play, play))
  }

  @Test("lists that say what the Play Console says have no difference")
  func same() async throws {
    let catalog = try await catalog(PlayProduct.samples)
    let products: ProductMap = [
      "reader_standard": Plan("standard", every: .month),
      "reader_standard:yearly": Plan("standard", every: .year),
      // Apple's.
      "com.example.reader.yearly": Plan("standard", every: .year),
      "com.example.reader.year:MONTHLY": Plan("standard", every: .month),
      // A cycle of the host's own.
      "reader_premium": Plan("premium", every: BillingCycle(rawValue: "term")),
    ]
    var pack = CreditProduct(code: "gems", appStoreProductID: "com.example.gems", credits: 5)
    pack.googlePlayProductID = "reader_gems"
    let level = SubscriptionLevel(
      name: "premium", description: "", quota: 1, fee: "1", googleProductID: "reader_premium")
    #expect(
      catalog.differences(
        products: products, levels: [level], credits: [pack], others: ["reader_lifetime"]) == [])
  }

  @Test("each difference is found, and says what it is")
  func different() async throws {
    let catalog = try await catalog([
      PlayProduct(
        "reader",
        .subscription([
          Self.plan("monthly", days: 30), Self.plan("quarter", days: 90),
          Self.plan("old", days: 365, isActive: false),
        ])),
      PlayProduct("closed", .subscription([Self.plan("monthly", days: 30, isActive: false)])),
      PlayProduct("extra", .subscription([Self.plan("weekly", days: 7)])),
      PlayProduct("gems", .oneTime), PlayProduct("theme", .oneTime),
    ])
    let products: ProductMap = [
      "reader": Plan("standard", every: .month),
      "reader:yearly": Plan("standard", every: .year),
      "gone:monthly": Plan("standard", every: .month),
      "gems": Plan("standard", every: .month),
    ]
    var pack = CreditProduct(code: "gems", appStoreProductID: "com.example.gems", credits: 5)
    pack.googlePlayProductID = "nugget"
    let levels = ["closed", "theme"].map {
      SubscriptionLevel(name: $0, description: "", quota: 1, fee: "1", googleProductID: $0)
    }
    let found = catalog.differences(products: products, levels: levels, credits: [pack])
    #expect(
      Set(found) == [
        .otherPeriod(
          productID: "reader", basePlanID: "quarter", cycle: .month, billingPeriod: "P3M"),
        // Whoever has a plan that is sold no more keeps it.
        .otherPeriod(productID: "reader", basePlanID: "old", cycle: .month, billingPeriod: "P1Y"),
        .missing(productID: "reader", basePlanID: "yearly"),
        .missing(productID: "gone", basePlanID: "monthly"),
        .otherKind(productID: "gems"),
        .missing(productID: "nugget", basePlanID: nil),
        .notForSale(productID: "closed"),
        .otherKind(productID: "theme"),
        .unlisted(productID: "extra", basePlanID: "weekly"),
      ])
    #expect(found.count == 9)
    #expect(found.map(\.description).sorted() == found.map(\.description))
    #expect(
      found.map(\.description).contains("reader:quarter is billed every P3M, not every month"))
  }
}
