import LinkPolicy
import ReceiptModels
import Testing

@Suite("Choice of rows")
struct RowChoiceTests {
  private static let email = account("ftc-1")
  private static let weChat = account(nil, "union-1")

  private func own(_ rows: [Membership], of account: Account = asking) -> Membership? {
    LinkProposal.accountMembership(among: rows, account: account, subscription: .active)
  }

  @Test("takes the row under the ftcId, or else the one under the union id")
  func byAccount() {
    let byEmail = Membership.paid(.alipay, Self.email, until: "2021-01-01")
    let byWeChat = Membership.paid(nil, Self.weChat, until: "2021-01-01")
    #expect(own([byWeChat, byEmail]) == byEmail)
    #expect(own([byEmail, byWeChat]) == byEmail)
    #expect(own([.iap(other), byWeChat]) == byWeChat)
    #expect(own([.iap(other)]) == nil)
    #expect(own([]) == nil)
  }

  @Test("prefers the row that is the subscription's membership, and no stale one")
  func subscription() {
    let byEmail = Membership.paid(.alipay, Self.email, until: "2021-01-01")
    #expect(own([byEmail, .iap(Self.weChat)]) == .iap(Self.weChat))
    #expect(own([byEmail, .iap(Self.weChat, "2000")]) == byEmail)
    let stale = Membership.paid(.alipay, Self.weChat, until: "2021-01-01", stale: "1000")
    #expect(own([byEmail, stale]) == byEmail)
  }

  @Test("prefers it also when both rows are handed over, and leaves the other alone")
  func bothHandedOver() {
    let byEmail = Membership.paid(.alipay, Self.email, until: "2021-01-01")
    let decision = LinkProposal(
      account: asking, subscription: .active, accountMembership: byEmail,
      subscriptionMembership: .iap(Self.weChat)
    ).decision(at: now)
    #expect(
      decision
        == LinkDecision(
          outcome: .unchanged, writes: [.claim(originalTransactionID: "1000", owner: "ftc-1")],
          membership: .iap(Self.weChat)))
  }

  @Test("never takes the row of another e-mail account with the same union id")
  func sharedUnionID() {
    let theirs = Membership.iap(account("ftc-3", "union-1"))
    #expect(own([theirs]) == nil)
    // Who is known by the union id alone is the one who has it.
    #expect(own([theirs], of: Self.weChat) == theirs)
  }

  @Test("finds the row that carries the id, stale or not")
  func carrier() {
    func found(_ rows: [Membership]) -> Membership? {
      LinkProposal.subscriptionMembership(among: rows, subscription: .active)
    }
    let stale = Membership.paid(nil, other, until: nil, stale: "1000")
    #expect(found([.iap(asking, "2000"), stale]) == stale)
    #expect(found([.iap()]) == .iap())
    #expect(found([.iap(asking, "10000"), .paid(.alipay, other, until: nil)]) == nil)
  }

  @Test("copies the union id only if no other row holds it")
  func secondID() throws {
    let theirs = Membership.paid(
      .b2b, account("ftc-3", "union-1"), until: "2021-01-01")
    #expect(World(.active, rows: [theirs]).link(asking).membership?.secondID == nil)
    #expect(World(.active).link(asking).membership?.secondID == "union-1")
    let byWeChat = Membership.paid(nil, Self.weChat, until: "2020-01-01")
    let replaced = try #require(World(.active, rows: [byWeChat]).link(asking).membership)
    #expect(replaced.primaryID == "ftc-1")
    #expect(replaced.secondID == "union-1")
    #expect(replaced.id == byWeChat.id)
  }

  @Test("copies no union id that the row with the stale id holds, though it is the account's own")
  func unionIDOfStaleHolder() {
    let own = Membership.paid(nil, account("ftc-1"), until: "2020-01-01")
    let byWeChat = Membership.paid(.alipay, Self.weChat, until: "2020-01-01", stale: "1000")
    let decision = LinkProposal(
      account: asking, subscription: .active, accountMembership: own,
      subscriptionMembership: byWeChat
    ).decision(at: now)
    #expect(decision.outcome == .override)
    #expect(decision.membership?.primaryID == "ftc-1")
    #expect(decision.membership?.secondID == nil)
  }

  @Test("gives an account with WeChat only a membership, and the subscription no owner")
  func weChatOnly() throws {
    var world = World(.active)
    try world.apply(world.link(Self.weChat, .of(.legacy)))
    #expect(world.subscription.owner == nil)
    #expect(world.rows.map(\.secondID) == ["union-1"])
    #expect(world.rows.map(\.primaryID) == [nil])
    // L11 protects it.
    #expect(world.link(other).outcome == .refuse(.linkedToOtherAccount))
    // The same person with an e-mail account now.
    #expect(world.link(asking).outcome == .unchanged)
  }

  @Test("takes a row without account and tier for none, in either place")
  func zero() {
    func outcome(_ row: Membership?, _ holder: Membership?) -> LinkOutcome {
      LinkProposal(
        account: asking, subscription: .active, accountMembership: row,
        subscriptionMembership: holder
      ).decision(at: now).outcome
    }
    #expect(outcome(Membership(), Membership()) == .link)
    // A row of an account is one, whatever it lacks.
    #expect(outcome(Membership(account: asking), nil) == .override)
  }
}
