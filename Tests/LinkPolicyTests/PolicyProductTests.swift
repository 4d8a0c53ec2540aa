import LinkPolicy
import ReceiptModels
import Testing

@Suite("Policy product")
struct PolicyProductTests {
  @Test("keeps every invariant of linking", arguments: LinkContract.allCases, AccountRows.allCases)
  func linking(contract: LinkContract, place: AccountRows) async throws {
    for rows in Combination.worlds(of: place) {
      for combination in Combination.all(rows, contract: contract) { try combination.check() }
      // Other tests, which wait for processes and for time, have their turns.
      await Task.yield()
    }
  }

  @Test("reaches every outcome of linking")
  func outcomes() async {
    var count = 0
    var outcomes: Set<String> = []
    for place in AccountRows.allCases {
      for rows in Combination.worlds(of: place) {
        let combinations = Combination.all(rows, contract: .current)
        count += combinations.count
        for combination in combinations.prefix(4) {
          if case .refuse = combination.decision.outcome { continue }
          outcomes.insert("\(combination.decision.outcome)")
        }
        await Task.yield()
      }
    }
    #expect(outcomes == ["link", "override", "switch", "sync", "unchanged"])
    print("policy product: [\(count) combinations under each contract]")
  }

  @Test("keeps every invariant of unlinking", arguments: LinkContract.allCases)
  func unlinking(contract: LinkContract) async throws {
    var count = 0
    let accounts: [Account?] = contract == .current ? [asking] : [asking, .weChat, nil]
    for place in AccountRows.allCases {
      for rows in Combination.worlds(of: place) {
        for owner in Combination.owners {
          for account in accounts {
            try World(.wanted(owner: owner), rows: rows).checkUnlink(account, .of(contract))
            count += 1
          }
        }
        await Task.yield()
      }
    }
    print(
      "policy product of unlinking, \(contract == .current ? "current" : "2019"): [\(count) combinations]"
    )
  }
}

/// Records where a law does not hold; lighter than `#expect`, which matters in a few million of them.
private func hold(
  _ law: Bool, _ scene: @autoclosure () -> Any, sourceLocation: SourceLocation = #_sourceLocation
) {
  if !law { Issue.record("does not hold for \(scene())", sourceLocation: sourceLocation) }
}

extension Combination {
  func check() throws {
    let decision = decision
    var after = before
    // Unique keys hold after each write, or this throws.
    try after.apply(decision)
    hold(after.owners.count <= max(before.owners.count, 1), self)
    let second = after.link(account, force: force, options)
    switch decision.outcome {
    case .refuse(let refusal):
      checkRefused(after, refusal)
      hold(second.outcome == decision.outcome, self)
    case .link, .sync, .unchanged, .switch, .override:
      checkAccepted(after, decision)
      hold(second == LinkDecision(outcome: .unchanged, membership: decision.membership), self)
    case .unlink, .transfer: Issue.record("linking unlinks, or moves: \(self)")
    }
    checkForce(decision)
  }

  /// A refused request changes nothing but what the contract says.
  private func checkRefused(_ after: World, _ refusal: LinkRefusal) {
    var expected = before
    switch refusal {
    case .environmentNotAllowed: break
    case .linkedToOtherAccount: expected.disputes = [account]
    case .linkedToOtherSubscription, .hasValidNonIAP, .expiresEarlier:
      expected.subscription.owner = before.subscription.owner ?? account.primaryID
    case .notLinked: Issue.record("linking refuses as unlinking does: \(self)")
    case .accountTokenMismatch: Issue.record("no token is another account's: \(self)")
    }
    hold(after == expected, self)
  }

  /// The subscription is the account's, and of the other rows at most a stale id goes.
  private func checkAccepted(_ after: World, _ decision: LinkDecision) {
    let linked = after.rows.filter { $0.isIAP && $0.originalTransactionID == "1000" }
    hold(linked == [decision.membership], self)
    hold(linked.allSatisfy { $0.expireDate == CalendarDay(before.subscription.expiresDate) }, self)
    hold(
      after.subscription.owner == before.subscription.owner ?? account.primaryID, self)
    hold(after.disputes.isEmpty && after.archive.isEmpty, self)
    var untouched = before.rows.filter { row in !linked.contains { $0.id == row.id } }
    if decision.outcome == .link { untouched = before.rows }
    for row in untouched {
      var cleared = row
      if !row.isIAP && row.originalTransactionID == "1000" { cleared.originalTransactionID = nil }
      hold(after.rows.contains(cleared), self)
    }
    hold(after.rows.count == before.rows.count + (decision.outcome == .link ? 1 : 0), self)
    // A copy of each row that changed, and of no other.
    let changed = before.rows.filter { !after.rows.contains($0) }
    hold(Set(after.snapshots) == Set(changed) && after.snapshots.count == changed.count, self)
  }

  /// `force` never touches a membership that Apple does not pay; 2019 does not know it.
  private func checkForce(_ decision: LinkDecision) {
    guard force else { return }
    var gentle = self
    gentle.force = false
    guard decision != gentle.decision else { return }
    hold(options.contract == .current, self)
    let replaced = before.rows.filter { $0.id == decision.membership?.id }
    hold(replaced.allSatisfy { $0.isIAP }, self)
    hold(gentle.decision.outcome == .refuse(.linkedToOtherSubscription), self)
  }
}

extension World {
  /// The accounts that have the subscription: by its owner, and by a membership.
  var owners: Set<AccountID> {
    let members = rows.filter { $0.isIAP && $0.originalTransactionID == "1000" }.compactMap(
      \.accountID)
    // What an account with both ids has under either is its own.
    let ids = members + [subscription.owner].compactMap(\.self)
    return Set(ids.map { $0 == "union-1" ? "ftc-1" : $0 })
  }

  fileprivate func checkUnlink(_ account: Account?, _ options: LinkOptions) throws {
    let decision = unlink(account, options)
    var after = self
    try after.apply(decision)
    let deleted = rows.filter { !after.rows.contains($0) }
    // Never a row with a stale id, never more than one.
    hold(deleted.allSatisfy { $0.isIAP && $0.originalTransactionID == "1000" }, self)
    hold(deleted.count <= 1 && after.snapshots == deleted, self)
    hold(after.rows.allSatisfy { rows.contains($0) }, self)
    hold(after.disputes.isEmpty, self)
    hold(after.emails.count == deleted.count, self)
    let second = after.unlink(account, options)
    switch decision.outcome {
    case .unlink:
      hold(after.archive.count == 1, self)
      hold(second.writes.isEmpty, self)
      hold(
        second.outcome
          == (options.contract == .current ? .refuse(.notLinked) : .unchanged), self)
    case .refuse(.notLinked):
      hold(options.contract == .current, self)
      hold(after == self && second == decision, self)
    case .unchanged:
      hold(options.contract == .legacy, self)
      hold(after == self && second == decision, self)
    case .link, .sync, .switch, .override, .transfer, .refuse: Issue.record("\(decision.outcome)")
    }
    if account == nil {
      hold(after.owners.isEmpty, self)
    } else if deleted.contains(where: { $0.primaryID == "ftc-2" }) {
      Issue.record("unlinked for somebody else")
    }
  }
}
