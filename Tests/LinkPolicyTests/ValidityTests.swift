import Foundation
import LinkPolicy
import ReceiptModels
import Testing

@Suite("Validity")
struct ValidityTests {
  private func of(
    _ day: String?, renews: Bool, at moment: Date, tolerance: Int = 60
  ) -> Validity {
    var options = LinkOptions()
    options.autoRenewTolerance = .days(tolerance)
    return Membership.paid(.alipay, until: day, renews: renews)
      .validity(at: moment, options: options)
  }

  private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

  @Test("of a membership lasts through its last day in UTC")
  func lastDay() throws {
    let last = try day("2020-11-14")
    #expect(
      of("2020-11-14", renews: false, at: moment("2020-11-14T23:59:59Z"))
        == .valid(through: last))
    #expect(
      of("2020-11-14", renews: true, at: moment("2020-11-14T23:59:59Z"))
        == .valid(through: last))
    #expect(
      of("2020-11-14", renews: false, at: moment("2020-11-15T00:00:00Z"))
        == .expired(since: try day("2020-11-15")))
  }

  @Test("is kept by automatic renewal for the days of the tolerance")
  func tolerance() throws {
    let kept = try day("2020-11-14")
    #expect(
      of("2020-09-15", renews: true, at: moment("2020-09-16T00:00:00Z"))
        == .kept(through: kept))
    #expect(
      of("2020-09-15", renews: true, at: moment("2020-11-14T23:59:59Z"))
        == .kept(through: kept))
    #expect(
      of("2020-09-15", renews: true, at: moment("2020-11-15T00:00:00Z"))
        == .expired(since: try day("2020-11-15")))
    #expect(
      of("2020-09-15", renews: false, at: moment("2020-09-16T00:00:00Z"))
        == .expired(since: try day("2020-09-16")))
  }

  @Test("has whatever tolerance is set, below zero none, and no overflow")
  func settings() throws {
    let next = moment("2020-11-15T00:00:00Z")
    for tolerance in [0, -1, .min] {
      #expect(
        of("2020-11-14", renews: true, at: next, tolerance: tolerance)
          == .expired(since: try day("2020-11-15")))
    }
    #expect(
      of("2020-11-14", renews: true, at: next, tolerance: 1)
        == .kept(through: try day("2020-11-15")))
    #expect(!of("2020-11-14", renews: true, at: next, tolerance: .max).isExpired)
  }

  @Test("is unknown without a day, which counts as expired")
  func unknown() {
    #expect(of(nil, renews: true, at: now) == .unknown)
    #expect(Validity.unknown.isExpired)
  }

  @Test("cannot be read where the day is none, which counts as valid, with and without renewal")
  func unreadable() {
    for renews in [true, false] {
      var row = Membership.paid(.alipay, until: nil, renews: renews)
      row.unreadableExpireDate = "31/12/2001"
      #expect(row.validity(at: now, options: LinkOptions()) == .unreadable)
    }
    #expect(!Validity.unreadable.isExpired)
  }

  @Test("of a subscription goes by the day of its expiry")
  func subscription() throws {
    let subscription = Subscription.wanted(ends: "2020-11-14T00:00:01Z", renews: false)
    #expect(
      subscription.validity(at: moment("2020-11-14T23:59:59Z"), options: LinkOptions())
        == .valid(through: try day("2020-11-14")))
    #expect(
      subscription.validity(at: moment("2020-11-15T00:00:00Z"), options: LinkOptions())
        == .expired(since: try day("2020-11-15")))
    #expect(
      Subscription.wanted(ends: "2020-09-15T00:00:00Z").validity(at: now, options: LinkOptions())
        == .kept(through: try day("2020-11-14")))
  }
}
