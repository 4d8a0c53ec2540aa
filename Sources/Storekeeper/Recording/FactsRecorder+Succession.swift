internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

extension FactsRecorder {
  /// Links the account of each membership that rests on a replaced subscription with the one that continues it.
  ///
  /// At Google Play an upgrade is a new purchase, whose token names the earlier one. Apple's purchases keep their
  /// original transaction ID, or are moved to another one without a new purchase.
  ///
  /// - Returns: The replaced subscriptions that no membership rests on any more.
  func succeed(
    _ replaced: [Subscription], by successor: Subscription?, rows: [Membership],
    in records: any SubscriptionRecords
  ) async throws -> Set<String> {
    guard let successor else { return [] }
    // The customer has switched at the store already, so that the host's rules for a switch do not apply.
    var options = options
    options.replacement = .forcedOrExpired
    options.isSwitchStrict = false
    var succeeded: Set<String> = []
    for subscription in replaced {
      let row = rows.first {
        $0.isIAP && $0.originalTransactionID == subscription.originalTransactionID
      }
      guard let account = row?.account else { continue }
      let found = try await records.find([successor.originalTransactionID], account: account)
      guard let stored = found.subscriptions.first else { continue }
      let decision = LinkProposal(
        account: account, subscription: stored.subscription, rows: found.memberships,
        force: true, options: options
      ).decision(at: now)
      if case .refuse = decision.outcome { continue }
      try await DecisionWriter(records: records, options: options, now: now)
        .write(decision, about: successor.originalTransactionID)
      succeeded.insert(subscription.originalTransactionID)
    }
    return succeeded
  }
}
