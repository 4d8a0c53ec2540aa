import EntitlementPolicy
import ReceiptModels
import Testing

@Suite("Outages of the App Store")
struct OutageTests {
  private static func user(failedOn day: Double?) -> DrawUser {
    DrawUser(
      purchased: ["frames"], subscriptions: [.monthly(ends: 300)], acquired: ["brushes"],
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
          bundleID: paint, subscriptions: [.monthly("multiApp.monthly", ends: 300, of: paint)])
      ], validations: [failed, AppValidation(bundleID: DrawApp.bundleID, validatedDate: .day(20))],
      options: try EntitlementOptions(
        multiApp: MultiAppSubscriptions(bundledApplicationIDs: [paint], marker: "multiApp")))
    #expect(try user.entitlements(day: 13).isSubscriber)
    #expect(try !user.entitlements(day: 20).isSubscriber)
    user.subscriptions = [.monthly(ends: 100)]
    let own = try user.entitlements(day: 20)
    #expect(own.isSubscriber && own.subscription?.subscription.bundleID == DrawApp.bundleID)
  }

  @Test("the time to live is more than 0, and short below 14 days")
  func timeToLive() throws {
    #expect(try EntitlementOptions(statusTTL: 14 * 86_400 - 1).isStatusTTLShort)
    #expect(!EntitlementOptions.standard.isStatusTTLShort)
    for seconds in [0, -1, .infinity, .nan] {
      #expect(throws: EntitlementOptionsFailure.statusTTLOutOfRange) {
        try EntitlementOptions(statusTTL: seconds)
      }
    }
  }
}
