import LinkPolicy
import ReceiptModels
import Testing

@Suite("Unlinking under the current contract")
struct UnlinkTests {
  private static let owned = Subscription.wanted(owner: "ftc-1")

  @Test("is refused unless the account owns the subscription (U4)")
  func notOwned() {
    for owner: AccountID? in [nil, "ftc-2", "ftc-"] {
      let world = World(.wanted(owner: owner), rows: [.iap()])
      #expect(
        world.unlink(asking)
          == LinkDecision(outcome: .refuse(.notLinked), membership: .iap()))
    }
    #expect(
      World(.wanted(), rows: []).unlink(account(nil, "union-1")).outcome
        == .refuse(.notLinked))
    #expect(World(Self.owned).unlink(nil).outcome == .refuse(.notLinked))
  }

  @Test("clears the owner and archives where there is no membership (U5, U6)")
  func withoutMembership() throws {
    let stale = Membership.paid(.alipay, until: "2021-03-01", stale: "1000")
    for rows in [[], [stale], [.paid(nil, other, until: "2021-03-01", stale: "1000")]] {
      var world = World(Self.owned, rows: rows)
      let decision = world.unlink(asking)
      #expect(decision.outcome == .unlink)
      #expect(decision.membership == (rows == [stale] ? stale : nil))
      try world.apply(decision)
      var expected = World(.wanted(), rows: rows)
      expected.archive = ["ftc-1"]
      #expect(world == expected)
    }
  }

  @Test("is refused, and changes nothing, when the membership is another account's (U7)")
  func othersMembership() {
    let world = World(Self.owned, rows: [.iap(other)])
    #expect(world.unlink(asking) == LinkDecision(outcome: .refuse(.notLinked)))
    // One under the union id alone has no ftcId at all.
    let weChat = World(Self.owned, rows: [.iap(account(nil, "union-1"))])
    #expect(weChat.unlink(asking).outcome == .refuse(.notLinked))
    #expect(weChat.unlink(asking).writes.isEmpty)
  }

  @Test("deletes the membership with snapshot, archive row and e-mail (U8 to U12)")
  func unlinks() throws {
    var world = World(Self.owned, rows: [.iap(), .iap(other, "2000")])
    let decision = world.unlink(asking)
    #expect(decision.outcome == .unlink)
    #expect(decision.membership == nil)
    try world.apply(decision)
    var expected = World(.wanted(), rows: [.iap(other, "2000")])
    expected.snapshots = [.iap()]
    expected.reasons = [.unlink]
    expected.archive = ["ftc-1"]
    expected.emails = [
      OutboxMessage(
        kind: .unlink, account: asking, originalTransactionID: "1000", tier: .standard,
        expireDate: CalendarDay("2021-06-15"), isAlreadyExpired: false)
    ]
    #expect(world == expected)
    #expect(world.unlink(asking).outcome == .refuse(.notLinked))
  }

  @Test("marks the e-mail about an expired membership")
  func expired() throws {
    var world = World(Self.owned, rows: [.iap(until: "2020-09-14")])
    try world.apply(world.unlink(asking))
    #expect(world.emails.map(\.isAlreadyExpired) == [true])
  }

  @Test("needs no open environment gate")
  func gate() {
    let sandbox = World(.wanted(owner: "ftc-1", environment: .sandbox), rows: [.iap()])
    #expect(sandbox.unlink(asking).outcome == .unlink)
  }
}

@Suite("Unlinking under the contract of 2019")
struct UnlinkOf2019Tests {
  private func after(_ world: World, _ account: Account?) throws -> World {
    var world = world
    try world.apply(world.unlink(account, .of(.legacy)))
    return world
  }

  @Test("needs nothing but the receipt")
  func receiptAlone() throws {
    let world = try after(World(.wanted(owner: "ftc-2"), rows: [.iap(other)]), nil)
    #expect(world.rows.isEmpty)
    #expect(world.subscription.owner == nil)
    #expect(world.snapshots == [.iap(other)])
    #expect(world.archive == ["ftc-2"])
    #expect(world.emails.map(\.account) == [other])
    #expect(world.emails.map(\.kind) == [.unlink])
  }

  @Test("touches only rows of the account, when there is one")
  func ofAccount() throws {
    let theirs = World(.wanted(owner: "ftc-2"), rows: [.iap(other)])
    #expect(theirs.unlink(asking, .of(.legacy)) == LinkDecision(outcome: .unchanged))
    #expect(try after(theirs, other).rows.isEmpty)
    #expect(try after(theirs, account(nil, "union-2")).rows.isEmpty)
    #expect(try after(theirs, account(nil, "union-2")).subscription.owner == nil)
    // The owner is the account, the membership is not.
    let mixed = try after(World(.wanted(owner: "ftc-1"), rows: [.iap(other)]), asking)
    #expect(mixed.rows == [.iap(other)])
    #expect(mixed.subscription.owner == nil)
    // The membership is the account's, the owner is not.
    let reverse = try after(World(.wanted(owner: "ftc-2"), rows: [.iap()]), asking)
    #expect(reverse.rows.isEmpty)
    #expect(reverse.subscription.owner == "ftc-2")
  }

  @Test("unlinks an account with WeChat only, which owns no subscription")
  func weChat() throws {
    let weChat = account(nil, "union-1")
    let world = try after(World(.wanted(), rows: [.iap(weChat)]), weChat)
    #expect(world.rows.isEmpty)
    #expect(world.archive == ["union-1"])
    #expect(world.emails.map(\.account) == [weChat])
  }

  @Test("never refuses, also when nothing was linked, and is done at the second time")
  func idempotent() throws {
    for account in [asking, nil] {
      let never = World(.wanted())
      #expect(never.unlink(account, .of(.legacy)) == LinkDecision(outcome: .unchanged))
      let once = try after(World(.wanted(owner: "ftc-1"), rows: [.iap()]), account)
      #expect(once.unlink(account, .of(.legacy)) == LinkDecision(outcome: .unchanged))
    }
  }

  @Test("leaves a row with a stale id")
  func stale() throws {
    let stale = Membership.paid(.stripe, until: "2021-03-01", stale: "1000")
    let world = try after(World(.wanted(owner: "ftc-1"), rows: [stale]), nil)
    #expect(world.rows == [stale])
    #expect(world.emails.isEmpty)
    #expect(world.subscription.owner == nil)
  }
}
