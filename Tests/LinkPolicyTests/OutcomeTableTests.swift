import StorekeeperHTTP
import LinkPolicy
import ReceiptModels
import Testing

@Suite("Outcome table")
struct OutcomeTableTests {
  @Test("has every row that the policy decides")
  func rows() {
    let numbers = Set(outcomeTable.map { String($0.name.prefix { $0 != "," }) })
    #expect(numbers == Set((3...33).map { "O\($0)" }))
    let requests = LinkContract.allCases.map { contract in
      outcomeTable.reduce(0) { $0 + $1.requests(under: contract).count }
    }
    print("outcome table: [\(numbers.count) rows, \(requests[0]) + \(requests[1]) requests]")
  }

  @Test("is what the current contract answers", arguments: outcomeTable)
  func current(row: OutcomeRow) throws {
    for request in row.requests(under: .current) { try request.check() }
  }

  @Test("is what the contract of 2019 answers, without force and strict", arguments: outcomeTable)
  func year2019(row: OutcomeRow) throws {
    for request in row.requests(under: .legacy) { try request.check() }
  }
}

extension OutcomeRow {
  /// Every scene with every setting that the row allows; 2019 knows neither force nor strict, and so
  /// has to answer the same with either.
  func requests(under contract: LinkContract) -> [OutcomeCase] {
    let settings = contract == .current ? (forces, stricts) : ([false, true], [false, true])
    return scenes.flatMap { scene in
      settings.0.flatMap { force in
        settings.1.map { strict in
          OutcomeCase(
            scene, force: force, options: .of(contract, strict: strict),
            contract == .current ? current : year2019)
        }
      }
    }
  }
}

/// One request of the table, checked in all columns, and then repeated.
struct OutcomeCase {
  var before: World
  var force: Bool
  var options: LinkOptions
  var expected: OutcomeRow.Outcome

  init(
    _ scene: OutcomeRow.Scene, force: Bool, options: LinkOptions, _ expected: OutcomeRow.Outcome
  ) {
    before = World(scene.subscription, rows: scene.rows)
    self.force = force
    self.options = options
    self.expected = expected
  }

  func check() throws {
    let decision = before.link(asking, force: force, options)
    #expect(decision == decisionByRows)
    var after = before
    try after.apply(decision)
    switch expected {
    case .insert(let claim, let snap, let mail):
      #expect(decision.outcome == .link)
      try checkAccepted(after, decision, linked(replacing: nil), claim, snap, mail)
    case .replace(let claim, let snap, let mail):
      let row = try #require(own)
      #expect(decision.outcome == (row.payMethod == .apple ? .switch : .override))
      try checkAccepted(after, decision, linked(replacing: row), claim, snap, mail)
    case .sync(let claim, let snap, let mail):
      #expect(decision.outcome == .sync)
      try checkAccepted(after, decision, linked(replacing: own), claim, snap, mail)
    case .keep(let claim, let snap, let mail):
      #expect(decision.outcome == .unchanged)
      try checkAccepted(after, decision, try #require(own), claim, snap, mail)
    case .refuse(let field, let code, let claim, let cheat):
      try checkRefused(after, decision, field, code, claim, cheat: cheat)
    }
  }

  /// The account's row before.
  private var own: Membership? { before.rows.first { $0.primaryID == "ftc-1" } }

  /// The same proposal with its rows picked by hand.
  private var decisionByRows: LinkDecision {
    LinkProposal(
      account: asking, subscription: before.subscription, accountMembership: own,
      subscriptionMembership: before.rows.first { $0.originalTransactionID == "1000" },
      force: force,
      options: options
    ).decision(at: now)
  }

  /// Section 1.3, "built from a subscription"; the row keeps its id.
  private func linked(replacing row: Membership?) -> Membership {
    .iap(renews: before.subscription.autoRenewal) {
      $0.id = row?.id
      $0.expireDate = CalendarDay(before.subscription.expiresDate)
    }
  }

  private func checkAccepted(
    _ after: World, _ decision: LinkDecision, _ membership: Membership, _ claim: OutcomeRow.Claim,
    _ snap: OutcomeRow.Snap, _ mail: OutcomeRow.Mail
  ) throws {
    #expect(decision.membership == membership)
    #expect(after.rows.filter { $0.primaryID == "ftc-1" } == [membership])
    checkOwner(after, claim)
    #expect(after.disputes.isEmpty && after.archive.isEmpty)
    let others = before.rows.filter { $0.primaryID != "ftc-1" }
    switch snap {
    case .no: #expect(after.snapshots.isEmpty)
    case .own: #expect(after.snapshots == [try #require(own)])
    case .other:
      #expect(after.snapshots == others)
      let cleared = others.map { row in
        var copy = row
        copy.originalTransactionID = nil
        return copy
      }
      #expect(after.rows.filter { $0.primaryID != "ftc-1" } == cleared)
    }
    #expect(after.reasons.allSatisfy { $0 == .link })
    #expect(after.emails == emails(mail, about: membership))
    // The second time L10 changes nothing.
    let second = after.link(asking, force: force, options)
    #expect(second == LinkDecision(outcome: .unchanged, membership: membership))
  }

  private func emails(
    _ mail: OutcomeRow.Mail, about membership: Membership
  ) -> [OutboxMessage] {
    guard mail != .no else { return [] }
    return [
      OutboxMessage(
        kind: .link, account: asking, originalTransactionID: "1000", tier: .standard,
        expireDate: membership.expireDate, isAlreadyExpired: mail == .marked)
    ]
  }

  private func checkRefused(
    _ after: World, _ decision: LinkDecision, _ field: String, _ code: String,
    _ claim: OutcomeRow.Claim, cheat: Bool
  ) throws {
    guard case .refuse(let refusal) = decision.outcome else {
      Issue.record("not refused but \(decision.outcome)")
      return
    }
    let answer = options.contract == .current ? RefusalAnswer.current(refusal) : .legacy(refusal)
    #expect(answer.field == field)
    #expect(answer.code == code)
    #expect(answer.status == 422)
    checkOwner(after, claim)
    // Nothing but claim and cheat record.
    var expected = before
    expected.subscription.owner = after.subscription.owner
    expected.disputes = cheat ? [asking] : []
    #expect(after == expected)
    #expect(after.link(asking, force: force, options).outcome == decision.outcome)
  }

  private func checkOwner(_ after: World, _ claim: OutcomeRow.Claim) {
    let owner = before.subscription.owner
    switch claim {
    case .unchanged: #expect(after.subscription.owner == owner)
    case .own: #expect(after.subscription.owner == "ftc-1")
    case .staysNull:
      #expect(owner == nil)
      #expect(after.subscription.owner == nil)
    }
  }
}
