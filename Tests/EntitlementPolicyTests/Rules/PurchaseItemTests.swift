import EntitlementPolicy
import Foundation
import ReceiptModels
import Testing

/// Source: entitlement rules, sections 5.2 and 6.2; Google Play rules, section 3.1.
@Suite("Items of one purchase at Google Play")
struct PurchaseItemTests {
  private static func charge(
    _ order: Int, _ name: String, ends day: Double, cancelled: Double? = nil
  ) -> PurchaseRecord {
    var record = PurchaseRecord(
      transactionID: "google:GPA.\(order):\(name)", originalTransactionID: "google:0a",
      productID: DrawApp.id(name))
    record.environment = .production
    record.productType = .autoRenewableSubscription
    record.originalPurchaseDate = .day(0)
    record.expiresDate = .day(day)
    record.cancellationDate = cancelled.map(Date.day)
    record.signedDate = .day(0)
    return record
  }

  @Test("each has its own end, and its own charges")
  func ends() throws {
    let charges = [
      Self.charge(1, "full.monthly", ends: 30), Self.charge(1, "lite.monthly", ends: 20),
      Self.charge(2, "lite.monthly", ends: 50),
    ]
    for order in charges.permutations {
      let purchases = AppPurchases(
        bundleID: DrawApp.bundleID, transactions: order, catalog: try DrawApp.catalog())
      let ends = purchases.subscriptions.map { [$0.productID: $0.expiresDate] }
      #expect(
        ends == [[DrawApp.id("full.monthly"): .day(30)], [DrawApp.id("lite.monthly"): .day(50)]])
    }
  }

  @Test("one that is taken back, or ends, leaves the others as they are")
  func cancelled() throws {
    let purchases = AppPurchases(
      bundleID: DrawApp.bundleID,
      transactions: [
        Self.charge(1, "full.monthly", ends: 30, cancelled: 10),
        Self.charge(1, "lite.monthly", ends: 20),
      ], catalog: try DrawApp.catalog())
    let user = DrawUser(
      subscriptions: purchases.subscriptions, acquired: ["brushes", "paper"])
    let before = try user.entitlements(day: 15)
    #expect(before.subscription?.subscription.productID == DrawApp.id("lite.monthly"))
    #expect(before.allowedProducts == DrawApp.ids("paper"))
    // The days of grace are the item's own.
    #expect(try user.entitlements(day: 26).isSubscriber)
    #expect(try !user.entitlements(day: 27).isSubscriber)
  }

  @Test("each unlocks its products while it is active, whichever is shown")
  func unlocking() throws {
    let user = DrawUser(
      subscriptions: [
        .monthly("lite.monthly", ends: 60, id: "google:0a"),
        .monthly("full.monthly", ends: 30, id: "google:0a"),
      ], acquired: ["brushes", "frames"], unlocks: #"["com.example.draw.brushes"]"#)
    for user in user.orders {
      let both = try user.entitlements(day: 10)
      #expect(both.subscription?.subscription.productID == DrawApp.id("lite.monthly"))
      #expect(both.allowedProducts == DrawApp.ids("brushes", "frames"))
      #expect(both.purchaseRoute(of: DrawApp.id("brushes")) == .acquire)
      #expect(
        both.acquisitionOfAll()
          == .acquire(DrawApp.ids("frames.gold", "paper"), via: DrawApp.id("lite.monthly")))
      // The end and the days of grace of the other item are over.
      #expect(try user.entitlements(day: 37).allowedProducts == DrawApp.ids("frames"))
    }
  }

  @Test("one that is in no list unlocks nothing beside one that is listed")
  func unlisted() throws {
    let user = DrawUser(
      subscriptions: [
        .monthly("lite.monthly", ends: 60, id: "google:0a"),
        .monthly("storage.monthly", ends: 30, id: "google:0a"),
      ], acquired: ["brushes", "paper"])
    for user in user.orders {
      let answer = try user.entitlements(day: 10)
      #expect(answer.allowedProducts == DrawApp.ids("paper"))
      #expect(!answer.isSubscriptionUnlisted)
    }
  }

  @Test("of two with the same end the smaller product ID is shown, whatever the order")
  func sameEnd() throws {
    let user = DrawUser(
      subscriptions: [
        .monthly("lite.monthly", ends: 30, id: "google:0a"),
        .monthly("full.monthly", ends: 30, id: "google:0a"),
      ])
    for user in user.orders {
      let shown = try user.entitlements(day: 10).subscription?.subscription.productID
      #expect(shown == DrawApp.id("full.monthly"))
    }
  }

  @Test("another purchase of the user unlocks nothing beside the one that counts")
  func otherPurchase() throws {
    let user = DrawUser(
      subscriptions: [
        .monthly("lite.monthly", ends: 60, id: "google:0a"),
        .monthly("full.monthly", ends: 30, id: "google:0b"),
      ], acquired: ["brushes", "frames"])
    #expect(try user.entitlements(day: 10).allowedProducts == DrawApp.ids("frames"))
  }
}
