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
    let ftcID = try required(ftcID, .ftcID)
    let id = try required(transactionID: originalTransactionID)
    let account: Account
    do throws(AccountFailure) {
      account = try Account(ftcID: ftcID)
    } catch {
      throw SubscriptionFailure.invalidAccountID(.ftcID, error)
    }
    let moment = now()
    let options = options(under: .current)
    try await store.write { records in
      try await Self.unlink(account, from: id, options, at: moment, in: records)
    }
  }

  /// Decides and writes inside a unit of work; a refusal rolls it back.
  static func unlink(
    _ account: Account?, from id: String, _ options: LinkOptions, at moment: Date,
    in records: any PurchaseRecords
  ) async throws {
    guard let stored = try await records.subscriptions.find([id]).first else {
      throw SubscriptionFailure.subscriptionNotFound
    }
    let rows = try await records.memberships.find(account: nil, appleSubscriptionIDs: [id])
    let decision = UnlinkProposal(
      account: account, subscription: stored.subscription,
      subscriptionMembership: rows.first { $0.appleSubsID == id }, options: options
    ).decision(at: moment)
    if case .refuse(let refusal) = decision.outcome {
      throw SubscriptionFailure.refused(refusal)
    }
    try await DecisionWriter(records: records, now: moment).write(decision, about: id)
  }
}
