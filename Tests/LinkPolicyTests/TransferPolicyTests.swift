import Foundation
import LinkPolicy
import ReceiptModels
import Testing

/// Source: linking rules, section 2.4.
@Suite("Subscriptions that move from account to account")
struct TransferPolicyTests {
  @Test("20,000 random proposals are decided as the table says")
  func table() async throws {
    var random = Numbers(seed: 34)
    var outcomes: [String: Int] = [:]
    let places = AccountRows.allCases
    var worlds: [[Membership]] = []
    for place in places {
      worlds += Combination.worlds(of: place)
      await Task.yield()
    }
    for number in 0..<20_000 {
      let rows = worlds[random.below(worlds.count)]
      let contract = LinkContract.allCases[random.below(LinkContract.allCases.count)]
      let all = Combination.all(rows, contract: contract)
      let drawn = Case(all[random.below(all.count)], &random)
      outcomes[try drawn.check(), default: 0] += 1
      if number % 100 == 0 { await Task.yield() }
    }
    // Every row of the table was met.
    #expect(Set(outcomes.keys) == ["as without a rule", "kept", "marked", "in the way", "moved"])
    print("transfers: [\(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })]")
  }

  @Test("a rule of its own for the Sandbox, and a limit in a time")
  func settings() {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    var options = TransferOptions(.never, sandbox: .always, limit: 2, period: .days(30))
    func allows(_ environment: AppStoreEnvironment, _ days: Double..., lapsed: Bool = false) -> Bool
    {
      options.allow(
        environment, isLapsed: lapsed, movedAt: days.map { now - $0 * 86_400 }, now: now)
    }
    #expect(!allows(.production, lapsed: true))
    #expect(allows(.sandbox))
    #expect(allows(.sandbox, 1))
    #expect(!allows(.sandbox, 1, 29))
    #expect(allows(.sandbox, 1, 30))
    #expect(allows(.xcode))
    options = .ifLapsed
    #expect(!allows(.production))
    #expect(allows(.production, lapsed: true))
    #expect(allows(.sandbox, lapsed: true))
    options.limit = 0
    #expect(!allows(.production, lapsed: true))
    #expect(LinkOptions().transfer == .never)
  }

  /// A proposal with a rule, and what the table says of it.
  private struct Case {
    let combination: Combination
    let rule: TransferRule
    let isMarked: Bool
    let moves: Int

    init(_ combination: Combination, _ random: inout Numbers) {
      self.combination = combination
      rule = TransferRule.allCases[random.below(3)]
      isMarked = random.below(4) == 0
      moves = random.below(4)
    }

    private func proposal(_ world: World, _ rule: TransferRule) -> LinkProposal {
      var options = combination.options
      options.transfer = TransferOptions(rule, limit: 2)
      var proposal = LinkProposal(
        account: combination.account, subscription: world.subscription, rows: world.rows,
        force: combination.force, options: options)
      proposal.isTokenOfOtherAccount = isMarked
      proposal.transferDates = (0..<moves).map { now - Double($0 + 1) * 86_400 }
      return proposal
    }

    /// Checks the decision, and returns the row of the table.
    func check() throws -> String {
      let before = combination.before
      let without = proposal(before, .never).decision(at: now)
      let decision = proposal(before, rule).decision(at: now)
      guard without.outcome == .refuse(.linkedToOtherAccount) else {
        hold(decision == without, "another decision without another owner")
        return "as without a rule"
      }
      let isLapsed =
        before.subscription.expiresDate <= now
        && before.subscription.validity(at: now, options: combination.options).isExpired
      guard rule == .always || rule == .ifLapsed && isLapsed, moves < 2 else {
        hold(decision == without, "it moved although it may not")
        return "kept"
      }
      if isMarked {
        hold(decision.outcome == .refuse(.accountTokenMismatch), "it moved against its mark")
        return "marked"
      }
      // What stands in the way of the account's own link, were the subscription free.
      var free = before
      free.subscription.owner = nil
      let holder = before.rows.first { $0.isIAP && $0.originalTransactionID == "1000" }
      let isHolderOwn = holder.map(isOwn) ?? false
      if !isHolderOwn { free.rows.removeAll { $0.id == holder?.id } }
      let alone = proposal(free, .never).decision(at: now)
      var after = before
      try after.apply(decision)
      if case .refuse(let reason) = alone.outcome {
        hold(decision.outcome == .refuse(reason), "an own membership was not in the way")
        var expected = before
        expected.disputes = [combination.account]
        hold(after == expected, "a refusal changed something")
        return "in the way"
      }
      hold(decision.outcome == .transfer, "it did not move")
      hold(after.subscription.owner == combination.account.primaryID, "another owner")
      let linked = after.rows.filter { $0.isIAP && $0.originalTransactionID == "1000" }
      hold(linked == [decision.membership], "another membership")
      hold(
        linked.first.map(isOwn) ?? false, "somebody else's membership")
      hold(after.disputes == [combination.account], "no dispute is recorded")
      if let holder, !isHolderOwn {
        hold(!after.rows.contains { $0.id == holder.id }, "the other membership stays")
        hold(after.snapshots.contains(holder), "no copy is kept")
        hold(after.reasons.contains(.transfer), "the copy does not say why")
        hold(decision.previousAccounts.first == holder.account, "another account is told")
      }
      hold(!decision.previousAccounts.contains(combination.account), "the account itself is told")
      hold(Set(decision.previousAccounts).count == decision.previousAccounts.count, "told twice")
      hold(!decision.previousAccounts.isEmpty, "nobody is told")
      return "moved"
    }

    /// Whether a row is the asking account's, by either identifier.
    private func isOwn(_ row: Membership) -> Bool {
      let account = combination.account
      return row.primaryID.map { $0 == account.primaryID } ?? false
        || row.secondID.map { $0 == account.secondID } ?? false
    }

    private func hold(
      _ law: Bool, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      if !law { Issue.record("\(text): \(rule), \(combination)", sourceLocation: sourceLocation) }
    }
  }

  /// Numbers that are the same in each run (a linear congruence).
  private struct Numbers {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }
}
