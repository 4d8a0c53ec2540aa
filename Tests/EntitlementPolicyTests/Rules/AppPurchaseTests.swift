import EntitlementPolicy
import Foundation
import ReceiptModels
import Testing

@Suite("Purchases of a user, as transactions tell them")
struct AppPurchaseTests {
  private static func charge(
    _ id: Int, _ name: String = "full.monthly", of original: Int = 1, from start: Double,
    to end: Double? = nil, cancelled: Double? = nil, type: ProductType? = nil,
    in environment: AppStoreEnvironment = .production
  ) -> PurchaseRecord {
    var record = PurchaseRecord(
      transactionID: "\(id)", originalTransactionID: "\(original)", productID: DrawApp.id(name))
    record.environment = environment
    record.productType = type
    record.purchaseDate = .day(start)
    record.expiresDate = end.map(Date.day)
    record.cancellationDate = cancelled.map(Date.day)
    record.signedDate = .day(start)
    return record
  }

  private func purchases(
    _ transactions: [PurchaseRecord], renewals: [RenewalRecord] = [], days: [String: Int] = [:],
    _ check: (AppPurchases) -> Void
  ) throws {
    for order in transactions.permutations {
      check(
        AppPurchases(
          bundleID: DrawApp.bundleID, transactions: order, renewals: renewals,
          catalog: try DrawApp.catalog(),
          durations: try SubscriptionDurations(days.mapValues { .days($0) })))
    }
  }

  @Test("a renewal counts, whatever the order")
  func renewal() throws {
    try purchases([
      Self.charge(1, from: 0, to: 30), Self.charge(2, from: 30, to: 60),
      Self.charge(3, from: 60, to: 90),
    ]) { purchases in
      #expect(purchases.subscriptions.count == 1)
      #expect(purchases.subscriptions.first?.expiresDate == .day(90))
      #expect(purchases.subscriptions.first?.lastPurchaseDate == .day(60))
      #expect(purchases.productIDs.isEmpty)
    }
  }

  @Test("after the refund of the newest charge, an older one counts")
  func refund() throws {
    try purchases([
      Self.charge(1, from: 0, to: 30), Self.charge(2, from: 30, to: 60, cancelled: 35),
    ]) { purchases in
      #expect(purchases.subscriptions.first?.expiresDate == .day(30))
      #expect(purchases.subscriptions.first?.cancellationDate == nil)
    }
    try purchases([Self.charge(1, from: 0, to: 30, cancelled: 3)]) { purchases in
      #expect(purchases.subscriptions.first?.cancellationDate == .day(3))
      #expect(purchases.subscriptions.first?.expiresDate == .day(30))
    }
  }

  @Test("an upgraded charge is no candidate, whether its flag or a later purchase tells it")
  func upgrade() throws {
    var flagged = Self.charge(1, "lite.monthly", from: 0, to: 30)
    flagged.isUpgraded = true
    try purchases([flagged]) { #expect($0.subscriptions.isEmpty) }
    try purchases([
      Self.charge(1, "lite.monthly", from: 0, to: 400), Self.charge(2, from: 10, to: 40),
    ]) { purchases in
      #expect(purchases.subscriptions.map(\.productID) == DrawApp.ids("full.monthly"))
      #expect(purchases.subscriptions.first?.expiresDate == .day(40))
    }
  }

  @Test("the grace period is that of the charge that counts")
  func grace() throws {
    var renewal = RenewalRecord(originalTransactionID: "1")
    renewal.productID = DrawApp.id("full.monthly")
    renewal.environment = .production
    renewal.gracePeriodExpiresDate = .day(46)
    try purchases([Self.charge(1, from: 0, to: 30)], renewals: [renewal]) {
      #expect($0.subscriptions.first?.gracePeriodExpiresDate == .day(46))
    }
    try purchases(
      [Self.charge(1, from: 0, to: 30), Self.charge(2, from: 30, to: 60, cancelled: 31)],
      renewals: [renewal]
    ) { #expect($0.subscriptions.first?.gracePeriodExpiresDate == nil) }
    renewal.productID = DrawApp.id("lite.monthly")
    try purchases([Self.charge(1, from: 0, to: 30)], renewals: [renewal]) {
      #expect($0.subscriptions.first?.gracePeriodExpiresDate == nil)
    }
  }

  @Test("no days of grace follow an older charge that counts only because a later one was refunded")
  func graceAfterRefund() throws {
    func isActive(_ purchases: AppPurchases, day: Double) -> Bool {
      purchases.subscriptions.contains {
        SubscriptionStanding($0, isSuspended: false, options: .standard).isActive(at: .day(day))
      }
    }
    let older = Self.charge(1, from: 0, to: 30)
    let refunded = Self.charge(2, from: 30, to: 60, cancelled: 31)
    try purchases([older]) { #expect(isActive($0, day: 36)) }
    try purchases([older, refunded]) {
      #expect(isActive($0, day: 29))
      #expect(!isActive($0, day: 30))
    }
    try purchases([older, refunded, Self.charge(3, from: 40, to: 70)]) {
      #expect(isActive($0, day: 76))
    }
  }

  @Test("a non-consumable product is bought until its refund (row 17)")
  func nonConsumable() throws {
    try purchases([Self.charge(5, "frames", of: 5, from: 0, type: .nonConsumable)]) {
      #expect($0.productIDs == DrawApp.ids("frames"))
      #expect($0.subscriptions.isEmpty)
    }
    let refunded = Self.charge(5, "frames", of: 5, from: 0, cancelled: 2, type: .nonConsumable)
    try purchases([refunded]) { #expect($0.productIDs.isEmpty) }
    try purchases([refunded, Self.charge(6, "frames", of: 6, from: 9, type: .nonConsumable)]) {
      #expect($0.productIDs == DrawApp.ids("frames"))
    }
  }

  @Test("the list tells the type of a product where Apple does not")
  func types() throws {
    try purchases([
      Self.charge(1, "coins", of: 1, from: 0), Self.charge(2, "paper", of: 2, from: 0),
      Self.charge(3, "lite.monthly", of: 3, from: 0), Self.charge(4, "stickers", of: 4, from: 0),
    ]) { #expect($0.productIDs == DrawApp.ids("paper", "stickers")) }
    try purchases([
      Self.charge(1, "stickers", of: 1, from: 0, type: .consumable),
      Self.charge(2, "frames", of: 2, from: 0, type: .autoRenewableSubscription),
    ]) { #expect($0 == AppPurchases(bundleID: DrawApp.bundleID)) }
  }

  @Test("non-renewing subscriptions follow one another, if they have a duration")
  func nonRenewing() throws {
    func pass(_ id: Int, from start: Double, cancelled: Double? = nil) -> PurchaseRecord {
      Self.charge(
        id, "pass", of: id, from: start, cancelled: cancelled, type: .nonRenewingSubscription)
    }
    let chain = [pass(1, from: 0), pass(2, from: 10), pass(3, from: 80)]
    try purchases(chain, days: [DrawApp.id("pass"): 30]) { purchases in
      // 0 to 30, 30 to 60, 80 to 110.
      #expect(purchases.subscriptions.map(\.expiresDate) == [.day(110)])
      #expect(purchases.subscriptions.first?.isRenewable == false)
      #expect(purchases.subscriptions.first?.originalTransactionID == "1")
      #expect(purchases.productIDs.isEmpty)
    }
    try purchases(
      [pass(1, from: 0), pass(2, from: 10, cancelled: 12)], days: [DrawApp.id("pass"): 30]
    ) { #expect($0.subscriptions.map(\.expiresDate) == [.day(30)]) }
    try purchases([pass(1, from: 0, cancelled: 12)], days: [DrawApp.id("pass"): 30]) {
      #expect($0.subscriptions.map(\.cancellationDate) == [.day(12)])
    }
    try purchases(chain) { purchases in
      #expect(purchases.productIDs == DrawApp.ids("pass"))
      #expect(purchases.subscriptions.isEmpty)
    }
  }

  @Test("a subscription without a readable end is no candidate and no product")
  func unreadable() throws {
    var record = Self.charge(1, from: 0)
    record.hasUnreadableExpiry = true
    try purchases([record]) { #expect($0 == AppPurchases(bundleID: DrawApp.bundleID)) }
  }

  @Test("environments are kept apart")
  func environments() throws {
    try purchases([
      Self.charge(1, from: 0, to: 30), Self.charge(1, from: 0, to: 1, in: .sandbox),
    ]) { #expect(Set($0.subscriptions.map(\.environment)) == [.production, .sandbox]) }
  }

  @Test("a duration is more than nothing, and up to 100 years")
  func durations() throws {
    #expect(try SubscriptionDurations(["p": .days(36_500)])["p"] == .seconds(36_500 * 86_400))
    for duration in [.zero, .days(-1), .days(36_501), .days(.max), .days(.min)] as [Duration] {
      #expect(throws: EntitlementOptionsFailure.durationOutOfRange) {
        try SubscriptionDurations(["p": duration])
      }
    }
  }
}
