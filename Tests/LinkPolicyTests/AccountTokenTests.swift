import LinkPolicy
import ReceiptModels
import Testing

@Suite("App account tokens")
struct AccountTokenTests {
  @Test("a subscription bought for another account is refused, recorded and not claimed")
  func refused() throws {
    for rows in [[], [Membership.paid(.alipay, until: "2019-01-01")]] {
      for force in [false, true] {
        let world = World(.active, rows: rows)
        var proposal = LinkProposal(
          account: asking, subscription: world.subscription, rows: rows, force: force)
        proposal.isTokenOfOtherAccount = true
        let decision = proposal.decision(at: now)
        #expect(decision.outcome == .refuse(.accountTokenMismatch))
        #expect(
          decision.writes == [.dispute(originalTransactionID: "1000", account: asking)])
      }
    }
  }

  @Test("a membership that the account has already is left alone")
  func linked() {
    var proposal = LinkProposal(
      account: asking, subscription: .wanted(owner: "ftc-1"), rows: [.iap()])
    proposal.isTokenOfOtherAccount = true
    #expect(proposal.decision(at: now).outcome == .unchanged)
  }

  @Test("a subscription of the Sandbox is linked with a tester, by either identifier")
  func testers() {
    let account = Account(id: "ftc-1", secondID: "union-1")
    for (id, outcome): (AccountID, LinkOutcome) in [
      ("ftc-1", .link), ("union-1", .link), ("ftc-2", .refuse(.environmentNotAllowed)),
    ] {
      let options = LinkOptions.of(
        .current, environments: CountedEnvironments([.production], testers: [id]))
      let proposal = LinkProposal(
        account: account, subscription: .wanted(environment: .sandbox), rows: [], options: options)
      #expect(proposal.decision(at: now).outcome == outcome)
    }
  }

  @Test(
    "a subscription that another capability knows to be another account's is refused, unless it is linked already"
  )
  func ownedElsewhere() {
    func decision(_ subscription: Subscription, _ rows: [Membership]) -> LinkDecision {
      var proposal = LinkProposal(
        account: asking, subscription: subscription, rows: rows, force: true)
      proposal.isOwnedElsewhere = true
      return proposal.decision(at: now)
    }
    for rows in [[], [Membership.paid(.alipay, until: "2019-01-01")]] {
      let decision = decision(.wanted(), rows)
      #expect(decision.outcome == .refuse(.linkedToOtherAccount))
      #expect(decision.writes == [.dispute(originalTransactionID: "1000", account: asking)])
    }
    #expect(decision(.wanted(owner: "ftc-1"), []).outcome == .link)
    #expect(decision(.wanted(), [.iap()]).outcome == .unchanged)
  }

  @Test("an owner and a closed environment come first")
  func order() {
    for (subscription, refusal) in [
      (Subscription.wanted(owner: "ftc-2"), LinkRefusal.linkedToOtherAccount),
      (.wanted(environment: .sandbox), .environmentNotAllowed),
    ] {
      var proposal = LinkProposal(account: asking, subscription: subscription, rows: [])
      proposal.isTokenOfOtherAccount = true
      #expect(proposal.decision(at: now).outcome == .refuse(refusal))
    }
  }
}
