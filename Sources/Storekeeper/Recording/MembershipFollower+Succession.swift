internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

extension MembershipFollower {
  /// Links the account of each membership that rests on an earlier subscription with the one that continues it,
  /// which also belongs to the owner of the earlier one unless somebody else owns it.
  ///
  /// At Google Play an upgrade is a new purchase, whose token names the earlier one. Apple's purchases keep their
  /// original transaction ID, or are moved to another one without a new purchase; then the owner stays, and the
  /// membership ends with the earlier one.
  ///
  /// - Returns: The earlier subscriptions that no membership rests on any more.
  func succeed(
    _ earlier: [Subscription], by successors: [Subscription], of facts: PurchaseFacts,
    rows: [Membership], in records: UnitOfWork
  ) async throws -> Set<String> {
    var succeeded: Set<String> = []
    for var successor in successors {
      let ids = facts.previousIDs(of: successor.originalTransactionID)
      // The nearest first, as its owner is the successor's.
      let nearest = earlier.filter { ids.contains($0.originalTransactionID) }.sorted { one, other in
        (ids.firstIndex(of: one.originalTransactionID) ?? 0)
          < (ids.firstIndex(of: other.originalTransactionID) ?? 0)
      }
      let others = ids.isEmpty && successors.count == 1 ? earlier : []
      for subscription in nearest + others {
        if successor.owner == nil, let owner = subscription.owner {
          successor.owner = owner
          try await records.storedSubscriptions.setOwner(
            owner, of: successor.originalTransactionID, now: now)
        }
        if try await succeed(subscription, by: successor, of: facts, rows: rows, in: records) {
          succeeded.insert(subscription.originalTransactionID)
        }
      }
    }
    return succeeded
  }

  private func succeed(
    _ earlier: Subscription, by successor: Subscription, of facts: PurchaseFacts,
    rows: [Membership], in records: UnitOfWork
  ) async throws -> Bool {
    let id = successor.originalTransactionID
    guard facts.vendor == .google else { return false }
    let row = rows.first {
      $0.isIAP && $0.originalTransactionID == earlier.originalTransactionID
    }
    guard let account = row?.account else { return false }
    let found = try await records.find([id], account: account)
    guard let stored = found.subscriptions.first else { return false }
    // The customer has switched at the store already, so that the host's rules for a switch do not apply.
    var options = try await options.ending(in: records)
    options.replacement = .forcedOrExpired
    options.isSwitchStrict = false
    // Nobody shows anything here.
    options.transfer = .never
    let decision = LinkProposal(
      account: account, subscription: stored.subscription, rows: found.memberships, force: true,
      options: options
    ).decision(at: now)
    if case .refuse = decision.outcome { return false }
    try await DecisionWriter(records: records, options: options, now: now)
      .write(decision, about: id)
    return true
  }
}
