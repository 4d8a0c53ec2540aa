import EntitlementPolicy
import Foundation
import ReceiptModels
import Testing

@Suite("Active subscriptions")
struct ActiveSubscriptionTests {
  static let second = 1.0 / 86_400

  private func isActive(
    _ subscription: SubscriptionCandidate, day: Double,
    options: EntitlementOptions = .standard, isSuspended: Bool = false
  ) -> Bool {
    SubscriptionStanding(subscription, isSuspended: isSuspended, options: options)
      .isActive(at: .day(day))
  }

  @Test("in Production, the host's days of grace follow the expiry (row 15)")
  func production() {
    let subscription = SubscriptionCandidate.monthly(ends: 10)
    #expect(isActive(subscription, day: 10))
    #expect(isActive(subscription, day: 17 - Self.second))
    #expect(!isActive(subscription, day: 17))
  }

  @Test(
    "in every other environment, nothing follows the expiry (row 15)",
    arguments: [AppStoreEnvironment.sandbox, .xcode])
  func sandbox(_ environment: AppStoreEnvironment) throws {
    let options = try EntitlementOptions(environments: [.production, .sandbox, .xcode])
    let subscription = SubscriptionCandidate.monthly(ends: 10, in: environment)
    #expect(isActive(subscription, day: 10 - Self.second, options: options))
    #expect(!isActive(subscription, day: 10, options: options))
  }

  @Test("Apple's grace period counts if it is longer than the host's, in every environment")
  func grace() {
    let production = SubscriptionCandidate.monthly(ends: 10, grace: 26)
    #expect(isActive(production, day: 26 - Self.second))
    #expect(!isActive(production, day: 26))
    #expect(isActive(.monthly(ends: 10, grace: 12), day: 17 - Self.second))
    let sandbox = SubscriptionCandidate.monthly(ends: 10, grace: 12, in: .sandbox)
    #expect(isActive(sandbox, day: 12 - Self.second))
    #expect(!isActive(sandbox, day: 12))
  }

  @Test("a cancelled subscription is inactive at once, whatever the date of it (row 16)")
  func cancelled() {
    #expect(!isActive(.monthly(ends: 20, cancelled: 0), day: 0))
    #expect(!isActive(.monthly(ends: 20, cancelled: 30), day: 0))
    #expect(!isActive(.monthly(ends: 20, cancelled: 0, grace: 30), day: 0))
  }

  @Test("an environment that is not allowed and a suspension make a subscription inactive")
  func disallowed() throws {
    let production = try EntitlementOptions(environments: [.production])
    #expect(!isActive(.monthly(ends: 20, in: .sandbox), day: 0, options: production))
    #expect(!isActive(.monthly(ends: 20), day: 0, isSuspended: true))
    #expect(!isActive(.monthly(ends: 20, in: .xcode), day: 0))
  }

  @Test("a product bought in an environment that does not count is not purchased")
  func disallowedProduct() throws {
    let holdings = Holdings(
      purchases: AppPurchases(
        bundleID: DrawApp.bundleID,
        products: [
          PurchasedProduct(productID: DrawApp.id("frames"), environment: .sandbox),
          PurchasedProduct(productID: DrawApp.id("paper"), environment: .sandbox),
          PurchasedProduct(productID: DrawApp.id("paper")),
        ]))
    func purchased(_ options: EntitlementOptions) throws -> [String] {
      let answer = Entitlements(
        of: holdings, catalog: try DrawApp.catalog(), options: options, at: .day(0))
      #expect(answer.allowedProducts == answer.purchasedProducts)
      return answer.purchasedProducts
    }
    #expect(try purchased(.standard) == DrawApp.ids("frames", "paper"))
    #expect(
      try purchased(EntitlementOptions(environments: [.production])) == DrawApp.ids("paper"))
    let rule = CountedEnvironments([.production], testers: ["ann"])
    let options = try EntitlementOptions(environments: rule)
    #expect(
      try purchased(options.counting(for: Account(id: "ann"))) == DrawApp.ids("frames", "paper"))
    #expect(try purchased(options.counting(for: Account(id: "ben"))) == DrawApp.ids("paper"))
  }

  @Test("a non-renewing subscription has no grace")
  func nonRenewing() {
    var subscription = SubscriptionCandidate.monthly(ends: 10, grace: 20)
    subscription.isRenewable = false
    #expect(isActive(subscription, day: 10 - Self.second))
    #expect(!isActive(subscription, day: 10))
  }

  @Test("access ends with the grace, or with the cancellation")
  func accessEnd() {
    func end(_ subscription: SubscriptionCandidate) -> Double {
      let standing = SubscriptionStanding(subscription, isSuspended: false, options: .standard)
      return standing.accessEndDate.timeIntervalSince(.day(0)) / 86_400
    }
    #expect(end(.monthly(ends: 10)) == 17)
    #expect(end(.monthly(ends: 10, grace: 26)) == 26)
    #expect(end(.monthly(ends: 10, in: .sandbox)) == 10)
    #expect(end(.monthly(ends: 10, cancelled: 3)) == 3)
  }

  @Test("the grace is 0 to 60 days")
  func lengths() throws {
    #expect(!isActive(.monthly(ends: 10), day: 10, options: try EntitlementOptions(grace: .zero)))
    #expect(
      isActive(.monthly(ends: 10), day: 69, options: try EntitlementOptions(grace: .days(60))))
    for days in [-1, 61, .max] {
      #expect(throws: EntitlementOptionsFailure.graceOutOfRange) {
        try EntitlementOptions(grace: .days(days))
      }
    }
  }
}
