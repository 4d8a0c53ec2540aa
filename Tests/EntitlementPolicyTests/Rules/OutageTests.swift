import EntitlementPolicy
import Foundation
import ReceiptModels
import Testing

@Suite("Outages of the App Store")
struct OutageTests {
  private static func user(failedOn day: Double?) -> DrawUser {
    DrawUser(
      purchased: ["frames"], subscriptions: [.monthly(ends: 300, failedOn: day)],
      acquired: ["brushes"],
      validations: [
        AppValidation(
          bundleID: DrawApp.bundleID, validatedDate: .day(-1),
          firstFailureDate: day.map { .day($0) })
      ])
  }

  @Test("suspend a subscription after 14 days, not before, and not for longer (row 20)")
  func suspension() throws {
    let waiting = try Self.user(failedOn: 0).entitlements(day: 14 - 1 / 86_400)
    #expect(waiting.isSubscriber && waiting.isStale && !waiting.isSuspended)
    #expect(waiting.allowedProducts == DrawApp.ids("brushes", "frames"))
    let suspended = try Self.user(failedOn: 0).entitlements(day: 14)
    #expect(!suspended.isSubscriber && suspended.isStale && suspended.isSuspended)
    #expect(suspended.allowedProducts == DrawApp.ids("frames"))
    #expect(suspended.acquiredProducts == DrawApp.ids("brushes"))
    let restored = try Self.user(failedOn: nil).entitlements(day: 15)
    #expect(restored.isSubscriber && !restored.isStale && !restored.isSuspended)
  }

  @Test("of a bundled app suspend only that app's subscriptions")
  func bundled() throws {
    let paint = "com.example.paint"
    let failed = AppValidation(bundleID: paint, firstFailureDate: .day(0))
    var user = DrawUser(
      bundled: [
        AppPurchases(
          bundleID: paint,
          subscriptions: [.monthly("multiApp.monthly", ends: 300, of: paint, failedOn: 0)])
      ], validations: [failed, AppValidation(bundleID: DrawApp.bundleID, validatedDate: .day(20))],
      options: try EntitlementOptions(
        multiApp: MultiAppSubscriptions(bundledApplicationIDs: [paint], marker: "multiApp")))
    #expect(try user.entitlements(day: 13).isSubscriber)
    #expect(try !user.entitlements(day: 20).isSubscriber)
    user.subscriptions = [.monthly(ends: 100)]
    let own = try user.entitlements(day: 20)
    #expect(own.isSubscriber && own.subscription?.subscription.bundleID == DrawApp.bundleID)
  }

  @Test("of one purchase suspends no other in the same app")
  func other() throws {
    var user = DrawUser(
      subscriptions: [
        .monthly(ends: 10, id: "google:0a", failedOn: 0), .monthly(ends: 300, id: "2"),
      ],
      validations: [
        AppValidation(
          bundleID: DrawApp.bundleID, validatedDate: .day(20), firstFailureDate: .day(0))
      ])
    let confirmed = try user.entitlements(day: 30)
    #expect(confirmed.isSubscriber && confirmed.isStale && !confirmed.isSuspended)
    // The other way round the one that is shown was not confirmed.
    user.subscriptions = [
      .monthly(ends: 300, id: "google:0a", failedOn: 0), .monthly(ends: 10, id: "2"),
    ]
    let shown = try user.entitlements(day: 30)
    #expect(!shown.isSubscriber && shown.isStale && shown.isSuspended)
    #expect(shown.subscription?.subscription.originalTransactionID == "google:0a")
  }

  @Test("a chain of purchases is suspended only if nothing of it is known")
  func chain() throws {
    let options = try EntitlementOptions(durations: SubscriptionDurations(["pass": .days(30)]))
    func record(_ id: String, day: Double) -> PurchaseRecord {
      var record = PurchaseRecord(
        transactionID: id, originalTransactionID: id, productID: "pass")
      record.environment = .production
      record.purchaseDate = .day(day)
      return record
    }
    func failure(_ id: String, day: Double) -> UnansweredPurchase {
      UnansweredPurchase(
        environment: .production, originalTransactionID: id, firstFailureDate: .day(day))
    }
    func date(_ failures: UnansweredPurchase...) -> Date? {
      AppPurchases(
        bundleID: DrawApp.bundleID, transactions: [record("1", day: 0), record("2", day: 10)],
        durations: options.durations, unanswered: failures
      ).subscriptions.first?.firstFailureDate
    }
    #expect(date() == nil)
    #expect(date(failure("1", day: 3)) == nil)
    #expect(date(failure("1", day: 3), failure("2", day: 5)) == .day(5))
  }

  @Test("the time to live is more than 0, and short below 14 days")
  func timeToLive() throws {
    #expect(try EntitlementOptions(statusTTL: .days(14) - .seconds(1)).isStatusTTLShort)
    #expect(!EntitlementOptions.standard.isStatusTTLShort)
    for time in [.zero, .seconds(-1), .days(.min)] as [Duration] {
      #expect(throws: EntitlementOptionsFailure.statusTTLOutOfRange) {
        try EntitlementOptions(statusTTL: time)
      }
    }
  }
}
