import LinkPolicy
import ReceiptModels
import Foundation

/// Deciding about links, one proposal for each outcome.
struct DecisionBenchmark {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)
  private let proposals: [(title: String, outcome: LinkOutcome, proposal: LinkProposal)]

  init() throws {
    let account = Account(id: "5f2c1f0e-1111-4222-8333-000000000001")
    let stranger = Account(id: "5f2c1f0e-1111-4222-8333-000000000002")
    let subscription = Subscription(
      environment: .production, originalTransactionID: "400000000000001",
      lastTransactionID: "500000000000001", productID: "com.example.reader.subscription.monthly",
      purchaseDate: now - 86_400, expiresDate: now + 30 * 86_400, tier: .standard, cycle: .month,
      autoRenewal: true)
    var owned = subscription
    owned.owner = stranger.primaryID
    var sandbox = subscription
    sandbox.environment = .sandbox
    let day = CalendarDay(subscription.expiresDate)

    func row(
      _ account: Account, _ method: PayMethod?, _ id: String? = nil, days: Int = 0
    ) -> Membership {
      var row = Membership(account: account)
      row.id = "mmb_0123456789ab"
      row.tier = .standard
      row.cycle = .month
      row.expireDate = day.advanced(byDays: days)
      row.payMethod = method
      row.originalTransactionID = id
      row.autoRenew = true
      return row
    }
    func proposal(
      _ subscription: Subscription, _ own: Membership? = nil, _ its: Membership? = nil,
      force: Bool = false, isStrict: Bool = false
    ) -> LinkProposal {
      var options = LinkOptions()
      options.isSwitchStrict = isStrict
      return LinkProposal(
        account: account, subscription: subscription, accountMembership: own,
        subscriptionMembership: its, force: force, options: options)
    }
    let same = row(account, .apple, "400000000000001")
    let older = row(account, .apple, "400000000000001", days: -31)
    let other = row(account, .apple, "400000000000002")
    var ended = row(account, .wechat, days: -61)
    ended.autoRenew = false
    proposals = [
      ("link", .link, proposal(subscription)),
      ("unchanged", .unchanged, proposal(subscription, same, same)),
      ("sync", .sync, proposal(subscription, older, older)),
      ("switch, by force", .switch, proposal(subscription, other, force: true)),
      ("override an expired one", .override, proposal(subscription, ended)),
      ("refuse: another's (owner)", .refuse(.linkedToOtherAccount), proposal(owned)),
      (
        "refuse: another's (membership)", .refuse(.linkedToOtherAccount),
        proposal(subscription, nil, row(stranger, .apple, "400000000000001"))
      ),
      (
        "refuse: other subscription", .refuse(.linkedToOtherSubscription),
        proposal(subscription, other)
      ),
      (
        "refuse: expires earlier", .refuse(.expiresEarlier),
        proposal(
          subscription, row(account, .apple, "400000000000002", days: 9), force: true,
          isStrict: true)
      ),
      (
        "refuse: valid otherwise", .refuse(.hasValidNonIAP),
        proposal(subscription, row(account, .stripe))
      ),
      ("refuse: environment", .refuse(.environmentNotAllowed), proposal(sandbox)),
    ]
  }

  /// Decides each proposal once.
  func decideAll() {
    for (title, outcome, proposal) in proposals {
      precondition(proposal.decision(at: now).outcome == outcome, title)
    }
  }

  func measured(rounds: Int) -> Measurement {
    var costs = Measurement()
    for _ in 0..<rounds {
      for (title, outcome, proposal) in proposals {
        costs.add(title, count: 10_000) {
          for _ in 0..<10_000 {
            precondition(proposal.decision(at: now).outcome == outcome, title)
          }
        }
      }
    }
    return costs
  }

  func report(_ costs: Measurement) {
    print("link decisions, CPU time on one thread, medians (2.00 µs or less)")
    for (title, _, _) in proposals { costs.show(title, title) }
    let mean =
      proposals.reduce(0) { $0 + costs.microseconds($1.title) } / Double(proposals.count)
    print(String(format: "mean %.2f µs: %.0f decisions a second", mean, 1e6 / mean))
  }
}
