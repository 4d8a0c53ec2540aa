import EntitlementPolicy
import Foundation
import ReceiptModels
import Testing

@Suite("Times of the next validations")
struct ValidationScheduleTests {
  static let minute = 1.0 / 1440
  static let hour = 1.0 / 24

  private let schedule = ValidationSchedule(options: .standard)

  /// The day of the next validation after a success.
  private func next(
    _ subscriptions: SubscriptionCandidate..., validated day: Double
  ) -> Double? {
    let date = schedule.nextValidation(of: subscriptions, validatedAt: .day(day))
    return date.map { ($0.timeIntervalSince(.day(0)) / 86_400 * 1e6).rounded() / 1e6 }
  }

  private func rounded(_ day: Double) -> Double { (day * 1e6).rounded() / 1e6 }

  private func subscription(
    from start: Double, to end: Double, in environment: AppStoreEnvironment = .production
  ) -> SubscriptionCandidate {
    SubscriptionCandidate(
      bundleID: "b", productID: "p", environment: environment, originalTransactionID: "1",
      lastPurchaseDate: .day(start), expiresDate: .day(end))
  }

  @Test("in Production, half of the period passes, from one hour to seven days")
  func production() {
    #expect(next(subscription(from: 0, to: 30), validated: 1) == 8)
    #expect(next(subscription(from: 0, to: 8), validated: 1) == 5)
    #expect(next(subscription(from: 0, to: 365), validated: 1) == 8)
    #expect(
      next(subscription(from: 0, to: Self.hour * 1.5), validated: 0) == rounded(Self.hour))
  }

  @Test("in the Sandbox, half of the period passes, from one minute to one hour")
  func sandbox() {
    #expect(
      next(subscription(from: 0, to: 5 * Self.minute, in: .sandbox), validated: 0)
        == rounded(2.5 * Self.minute))
    #expect(
      next(subscription(from: 0, to: 30, in: .sandbox), validated: 0) == rounded(Self.hour))
    #expect(
      next(subscription(from: 0, to: 1.5 * Self.minute, in: .sandbox), validated: 0)
        == rounded(Self.minute))
  }

  @Test("ten minutes pass after an expiry that comes first")
  func expiry() {
    #expect(next(subscription(from: 0, to: 30), validated: 25) == rounded(30 + 10 * Self.minute))
    #expect(
      next(subscription(from: 0, to: 1, in: .sandbox), validated: 1 - Self.minute)
        == rounded(1 + 10 * Self.minute))
  }

  @Test("the end of access is not passed over")
  func end() {
    // Expired on day 30, active until day 37.
    #expect(next(subscription(from: 0, to: 30), validated: 32) == 37)
  }

  @Test("nothing is asked about ended, cancelled or no subscriptions")
  func never() {
    #expect(next(validated: 0) == nil)
    #expect(next(.monthly(ends: 20, cancelled: 3), validated: 4) == nil)
    #expect(next(subscription(from: 0, to: 30), validated: 37) == nil)
    #expect(next(subscription(from: 0, to: 30, in: .sandbox), validated: 30) == nil)
  }

  @Test("of several subscriptions, the earliest time counts")
  func several() {
    #expect(
      next(
        subscription(from: 0, to: 365), subscription(from: 0, to: 8), .monthly(ends: -50),
        validated: 1) == 5)
  }

  @Test("after failures the pause doubles, from five minutes to six hours")
  func failures() throws {
    var now = 0.0
    var pauses: [Double] = []
    for _ in 0..<9 {
      let date = try #require(
        schedule.nextTry(afterFailuresSince: .day(0), at: .day(0) + now, chance: 0.5))
      let next = date.timeIntervalSince(.day(0))
      pauses.append(((next - now) / 60).rounded())
      now = next
    }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 320, 360, 360])
  }

  @Test("a pause is up to a tenth shorter or longer")
  func jitter() throws {
    for (chance, seconds) in [(0.0, 270.0), (0.5, 300), (1, 330)] {
      let date = try #require(
        schedule.nextTry(afterFailuresSince: .day(0), at: .day(0), chance: chance))
      #expect((date.timeIntervalSince(.day(0)) * 1000).rounded() == seconds * 1000)
    }
  }

  @Test("periodic validations can be turned off")
  func off() throws {
    let schedule = ValidationSchedule(options: try EntitlementOptions(periodicValidation: false))
    #expect(schedule.nextValidation(of: [.monthly(ends: 20)], validatedAt: .day(0)) == nil)
    #expect(schedule.nextTry(afterFailuresSince: .day(0), at: .day(0), chance: 0.5) == nil)
  }
}
