import LinkPolicy
import ReceiptModels
import Testing

@Suite("Membership sync")
struct SyncTests {
  private func decision(
    _ subscription: Subscription, _ row: Membership?, reason: SnapshotReason = .verify,
    _ options: LinkOptions = LinkOptions()
  ) -> LinkDecision {
    SyncProposal(subscription: subscription, membership: row, reason: reason, options: options)
      .decision(at: now)
  }

  @Test(
    "follows tier, cycle, day and automatic renewal in either direction",
    arguments: [
      Membership.iap(until: "2021-06-14"), .iap(until: "2021-06-16"),
      .iap { $0.expireDate = nil }, .iap { $0.tier = .premium }, .iap { $0.cycle = .month },
      .iap(renews: false), .iap(other, until: "2019-01-01"),
    ])
  func follows(row: Membership) {
    var synced = row
    synced.tier = .standard
    synced.cycle = .year
    synced.expireDate = CalendarDay("2021-06-15")
    synced.autoRenew = true
    for reason in [SnapshotReason.verify, .refresh, .webhook, .poll] {
      #expect(
        decision(.active, row, reason: reason)
          == LinkDecision(
            outcome: .sync,
            writes: [.snapshot(row, reason: reason), .update(synced, previous: row)],
            membership: synced))
    }
    #expect(decision(.active, synced) == LinkDecision(outcome: .unchanged, membership: synced))
  }

  @Test("goes by the membership, not by the owner of the subscription")
  func owner() {
    for owner: AccountID? in [nil, "ftc-1", "ftc-2"] {
      let outcome = decision(.wanted(owner: owner), .iap(until: "2019-01-01")).outcome
      #expect(outcome == .sync)
    }
  }

  @Test(
    "leaves alone what is equal, absent, stale or another subscription's",
    arguments: [
      nil, Membership.iap(), .iap(asking, "2000", until: "2019-01-01"),
      .paid(.alipay, until: "2019-01-01", stale: "1000"),
      .paid(nil, until: "2019-01-01", stale: "1000"), .paid(.apple, until: "2019-01-01"),
    ])
  func leaves(row: Membership?) {
    #expect(decision(.active, row) == LinkDecision(outcome: .unchanged, membership: row))
  }

  @Test("stops at the environment gate")
  func gate() {
    let sandbox = Subscription.wanted(environment: .sandbox)
    let row = Membership.iap(until: "2019-01-01")
    #expect(decision(sandbox, row) == LinkDecision(outcome: .unchanged, membership: row))
    let open = LinkOptions.of(.current, environments: [.production, .sandbox])
    #expect(decision(sandbox, row, open).outcome == .sync)
    #expect(decision(.active, row, .of(.current, environments: [.sandbox])).outcome == .unchanged)
  }

  @Test("the gate is open for the membership of a tester, by either identifier")
  func testers() {
    let sandbox = Subscription.wanted(environment: .sandbox)
    let row = Membership.iap(Account(id: "ftc-1", secondID: "union-1"), until: "2019-01-01")
    for (id, outcome): (AccountID, LinkOutcome) in [
      ("ftc-1", .sync), ("union-1", .sync), ("ftc-2", .unchanged),
    ] {
      let rule = CountedEnvironments([.production], testers: [id])
      #expect(decision(sandbox, row, .of(.current, environments: rule)).outcome == outcome)
    }
  }
}
