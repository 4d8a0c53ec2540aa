import LinkPolicy
import ReceiptModels
import Testing

/// Contract on linking, section 1.3: values that nobody knows are kept, and never count against who
/// may have paid.
@Suite("Values that nobody knows")
struct UnknownValueTests {
  private static let methods: [PayMethod?] = [
    nil, .alipay, .wechat, .stripe, .b2b, PayMethod(rawValue: "paypal"),
  ]

  private func decision(
    _ row: Membership, force: Bool = false, _ options: LinkOptions = LinkOptions()
  ) -> LinkDecision {
    LinkProposal(
      account: asking, subscription: .active, accountMembership: row,
      subscriptionMembership: nil, force: force, options: options
    ).decision(at: now)
  }

  private func unreadable(_ row: Membership) -> Membership {
    var row = row
    row.unreadableExpireDate = "31/12/2030"
    return row
  }

  @Test("a last day that cannot be read is never replaced (L13)", arguments: methods)
  func unreadableDay(method: PayMethod?) {
    let row = unreadable(.paid(method, until: nil))
    for force in [false, true] {
      let decision = decision(row, force: force)
      #expect(decision.outcome == .refuse(.hasValidNonIAP))
      #expect(decision.writes == [.claim(originalTransactionID: "1000", owner: "ftc-1")])
    }
    #expect(decision(row, .of(.legacy)).outcome == .refuse(.hasValidNonIAP))
  }

  @Test("another Apple subscription without a readable day is switched by force alone (L12)")
  func unreadableIAP() {
    let row = unreadable(.iap(asking, "2000"))
    #expect(decision(row).outcome == .refuse(.linkedToOtherSubscription))
    #expect(decision(row, force: true).outcome == .switch)
    #expect(
      decision(row, force: true, .of(.current, strict: true)).outcome == .refuse(.expiresEarlier))
    #expect(decision(row, .of(.legacy)).outcome == .refuse(.linkedToOtherSubscription))
  }

  @Test("a pay method that is not known is not a missing one (L13, not L14)")
  func unknownMethod() {
    let row = Membership.paid(PayMethod(rawValue: "paypal"), until: "2021-01-01")
    #expect(decision(row).outcome == .refuse(.hasValidNonIAP))
    #expect(decision(.paid(nil, until: "2021-01-01")).outcome == .override)
  }

  @Test("the subscription's own row follows it, whatever stood there")
  func sync() {
    var row = unreadable(.iap())
    row.tier = Tier(rawValue: "gold")
    let decision = SyncProposal(subscription: .active, membership: row, reason: .verify)
      .decision(at: now)
    #expect(decision.outcome == .sync)
    #expect(decision.membership == .iap())
  }

  @Test("a stale id is taken from a row whose other values stay")
  func staleRow() {
    var stale = unreadable(.paid(PayMethod(rawValue: "paypal"), other, until: nil, stale: "1000"))
    stale.tier = Tier(rawValue: "gold")
    let decision = LinkProposal(
      account: asking, subscription: .active, accountMembership: nil,
      subscriptionMembership: stale
    ).decision(at: now)
    var cleared = stale
    cleared.originalTransactionID = nil
    #expect(decision.outcome == .link)
    #expect(decision.writes.contains(.update(cleared, previous: stale)))
  }
}
