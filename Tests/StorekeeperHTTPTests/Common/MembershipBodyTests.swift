import JSONValues
import LinkPolicy
import ReceiptModels
import StorekeeperHTTP
import Testing

/// Contract on linking, section 1.3.
@Suite("The JSON of memberships")
struct MembershipBodyTests {
  @Test(
    "a stored day is read with and without a time behind it",
    arguments: [
      "2030-01-01", "2030-01-01 00:00:00", "2030-01-01T23:59:59Z", "2030-01-01 12:30",
      "2030-01-01T10:00:00.123456+08:00", "2030-01-01 10:00:00 UTC", "2030-01-01 10:00:00+08",
      "2030-01-01 23:59:60", " 2030-01-01 ",
    ])
  func storedDay(text: String) {
    #expect(CalendarDay(stored: text) == CalendarDay("2030-01-01"))
  }

  @Test(
    "what is no day is none, whatever stands behind it",
    arguments: [
      "", " ", "2030-02-30", "0000-00-00", "0000-00-00 00:00:00", "2030-01-01x",
      "2030-01-01 25:00", "2030-01-01 10:61", "2030-01-01 10", "2030-01-01 10:00:", "31/12/2030",
      "2030-01-01 10:00 MSK", "2030-01-01-10:00", "2030-01-01 10:00:00.", "2030-01-01 10:00+0",
      "2030-1-1", "20300101", "1893456000",
    ])
  func noDay(text: String) {
    #expect(CalendarDay(stored: text) == nil)
  }

  @Test("a last day is a day or a text, never both")
  func lastDay() {
    var row = Membership.sample
    row.unreadableExpireDate = "31/12/2030"
    #expect(row.expireDate == nil)
    #expect(row.unknownFields() == [.expireDate])
    row.expireDate = CalendarDay("2030-12-31")
    #expect(row.unreadableExpireDate == nil)
    #expect(row.unknownFields().isEmpty)
  }

  @Test("values that are not known are null in JSON, and kept")
  func unknownValues() {
    var row = Membership.sample
    row.tier = Tier(rawValue: "gold")
    row.cycle = BillingCycle(rawValue: "week")
    row.payMethod = PayMethod(rawValue: "paypal")
    row.details.status = ProviderStatus(rawValue: "paused")
    row.unreadableExpireDate = "31/12/2030"
    #expect(row.unknownFields() == Membership.Field.allCases)
    #expect(
      MembershipBody(row).json
        == .object([
          "ftcId": .string("ann"), "unionId": .null, "tier": .null, "cycle": .null,
          "expireDate": .null, "payMethod": .null, "ftcPlanId": .null, "stripeSubsId": .null,
          "autoRenew": .boolean(false), "status": .null, "appleSubsId": .null,
          "b2bLicenceId": .null,
        ]))
  }

  @Test("the words of the host's own plans are known")
  func ownPlans() {
    var row = Membership.sample
    row.tier = "gold"
    row.cycle = BillingCycle(rawValue: "week")
    let products: ProductMap = [
      "gold.weekly": Plan("gold", every: BillingCycle(rawValue: "week"))
    ]
    #expect(row.unknownFields(besides: products).isEmpty)
    let json = MembershipBody(row, products: products).json
    #expect(json["tier"] == .string("gold"))
    #expect(json["cycle"] == .string("week"))
  }
}

extension Membership {
  /// A membership of an account `ann` without values.
  fileprivate static var sample: Membership { Membership(account: Account(id: "ann")) }
}
