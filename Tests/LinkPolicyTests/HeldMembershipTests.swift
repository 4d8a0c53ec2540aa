import Foundation
import LinkPolicy
import ReceiptModels
import Testing

@Suite("Access of a membership (linking rules, section 1.5)")
struct HeldMembershipTests {
  private let end = moment("2020-11-14T08:30:15Z")

  private func held(
    _ row: Membership, _ subscription: Subscription? = nil, options: LinkOptions = LinkOptions()
  ) -> HeldMembership {
    HeldMembership(row, subscription: subscription, options: options)
  }

  private func subscription(_ environment: AppStoreEnvironment = .production) -> Subscription {
    var subscription = Subscription.wanted(environment: environment)
    subscription.expiresDate = end
    return subscription
  }

  @Test("access ends with the subscription, to the second, also while renewal keeps the membership")
  func exact() {
    let row = Membership.iap(until: "2020-11-14", renews: true)
    let held = held(row, subscription())
    #expect(held.accessEnd == .date(end))
    #expect(held.grantsAccess(at: end - 1))
    #expect(!held.grantsAccess(at: end))
    #expect(row.isValid(at: end + 30 * 86_400))
  }

  @Test("a grace period counts where the host chose that")
  func grace() {
    let row = Membership.iap(until: "2020-11-14", renews: true)
    var options = LinkOptions()
    func access(_ grace: Date?) -> HeldMembership.AccessEnd {
      HeldMembership(
        row, subscription: subscription(), gracePeriodEnd: grace, options: options
      ).accessEnd
    }
    #expect(access(end + 16 * 86_400) == .date(end))
    options.access = .gracePeriod
    #expect(access(end + 16 * 86_400) == .date(end + 16 * 86_400))
    #expect(access(end - 86_400) == .date(end))
    #expect(access(nil) == .date(end))
  }

  @Test("the subscription counts, and not the day, whichever is later")
  func subscriptionFirst() {
    for day in ["2019-01-01", "2030-01-01"] {
      #expect(held(.iap(until: day), subscription()).accessEnd == .date(end))
    }
  }

  @Test("where only a day is known, access ends with that day in UTC, without tolerance")
  func day() {
    for row in [
      Membership.paid(.alipay, until: "2020-11-14", renews: true), .iap(until: "2020-11-14"),
    ] {
      #expect(held(row).grantsAccess(at: moment("2020-11-14T23:59:59Z")))
      #expect(!held(row).grantsAccess(at: moment("2020-11-15T00:00:00Z")))
    }
  }

  @Test("a subscription that the membership does not carry, or carries as a stale one, is left out")
  func stale() {
    let row = Membership.paid(.alipay, until: "2021-11-14", stale: "1000")
    #expect(held(row, subscription()).accessEnd == .date(moment("2021-11-15T00:00:00Z")))
    let other = Membership.iap(asking, "2000", until: "2021-11-14")
    #expect(held(other, subscription()).accessEnd == .date(moment("2021-11-15T00:00:00Z")))
  }

  @Test("a last day that can't be read gives access, and none gives none")
  func unreadable() {
    var row = Membership.paid(.alipay, until: "2020-11-14")
    row.expireDate = nil
    #expect(held(row).accessEnd == .never)
    #expect(!held(row).grantsAccess(at: .distantPast))
    row.unreadableExpireDate = "31/12/2030"
    #expect(held(row).grantsAccess(at: .distantFuture))
  }

  @Test("a subscription of an environment that does not count gives none, except to a tester")
  func environment() {
    let row = Membership.iap(until: "2020-11-14")
    #expect(held(row, subscription(.sandbox)).accessEnd == .never)
    for options in [
      LinkOptions.of(.current, environments: .all),
      .of(.current, environments: CountedEnvironments([], testers: ["ftc-1"])),
    ] {
      #expect(held(row, subscription(.sandbox), options: options).accessEnd == .date(end))
    }
  }

  @Test("of two rows of an account the one that grants access is the membership")
  func twoRows() {
    let account = Account(id: "ftc-1", secondID: "union-1")
    let lapsed = Membership.iap(until: "2020-11-14", renews: true)
    let paid = Membership.paid(.alipay, Account(secondID: "union-1"), until: "2020-12-31")
    for rows in [[lapsed, paid], [paid, lapsed]] {
      func found(at moment: Date) -> HeldMembership? {
        HeldMembership.of(account, among: rows, [subscription()], at: moment)
      }
      #expect(found(at: end - 1)?.membership == lapsed)
      #expect(found(at: end)?.membership == paid)
      // None grants access, and one is kept valid.
      #expect(found(at: moment("2021-01-01T00:00:00Z"))?.membership == lapsed)
    }
  }
}
