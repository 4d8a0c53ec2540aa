internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SubscriptionService {
  /// Severs a subscription from an account; its membership goes (current contract).
  ///
  /// Whether the account still exists is not checked. A second unlink is refused.
  ///
  /// - Parameters:
  ///   - ftcID: The account.
  ///   - originalTransactionID: The subscription.
  /// - Throws: ``SubscriptionFailure``, with nothing changed; or what the store throws.
  public func unlink(account ftcID: String?, from originalTransactionID: String?) async throws {
    let given = try present(account: ftcID, transactionID: originalTransactionID)
    let id = try trimmed(transactionID: given.transactionID)
    guard let account = try? Account(ftcID: given.ftcID) else {
      // No account can have this id, so none owns the subscription (U4).
      _ = try await subscription(id)
      throw SubscriptionFailure.refused(.notLinked)
    }
    let moment = now()
    let options = options(under: .current)
    let unknown = UnknownFields()
    defer { unknown.tell(report) }
    try await store.write { records in
      try await Self.unlink(
        account, from: id, options, at: moment, noting: unknown, in: records)
    }
  }

  /// Decides and writes inside a unit of work; a refusal rolls it back.
  private static func unlink(
    _ account: Account, from id: String, _ options: LinkOptions, at moment: Date,
    noting unknown: UnknownFields, in records: any SubscriptionRecords
  ) async throws {
    let found = try await records.find([id], account: nil)
    unknown.note(found.memberships)
    guard let stored = found.subscriptions.first else {
      throw SubscriptionFailure.subscriptionNotFound
    }
    try await sever(
      stored.subscription, account, found.memberships, options, at: moment, in: records)
  }

  /// Decides about one subscription, whose rows are locked.
  static func sever(
    _ subscription: Subscription, _ account: Account?, _ rows: [Membership],
    _ options: LinkOptions, at moment: Date, in records: any SubscriptionRecords
  ) async throws {
    let id = subscription.originalTransactionID
    let decision = UnlinkProposal(
      account: account, subscription: subscription,
      subscriptionMembership: rows.first { $0.appleSubsID == id }, options: options
    ).decision(at: moment)
    if case .refuse(let refusal) = decision.outcome {
      throw SubscriptionFailure.refused(refusal)
    }
    let writer = DecisionWriter(records: records, options: options, now: moment)
    try await writer.write(decision, about: id)
  }
}
