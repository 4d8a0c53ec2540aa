internal import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SubscriptionService {
  /// Unlinks a subscription from the account that owns it, and deletes its membership.
  ///
  /// Whether the account still exists is not checked. A second unlink is refused.
  ///
  /// - Throws: ``SubscriptionFailure``, with nothing changed; or an error of the store.
  public func unlink(_ accountID: AccountID, from originalTransactionID: String) async throws {
    let id = try checked(originalTransactionID)
    try await unlink([id], from: Account(id: accountID), by: .ownership)
  }

  /// Unlinks the subscriptions of a verified receipt, from any account or from the given one only.
  ///
  /// The receipt is the authority: nothing is refused, and the request may be repeated. Subscriptions that are not
  /// stored are skipped.
  public func unlinkAll(
    _ originalTransactionIDs: [String], from account: Account?
  ) async throws {
    try await unlink(originalTransactionIDs, from: account, by: .receipt)
  }

  /// Decides and writes in one unit of work, which a refusal rolls back.
  private func unlink(
    _ ids: [String], from account: Account?, by authority: UnlinkAuthority
  ) async throws {
    let moment = now()
    let unknown = UnknownFields(products)
    defer { unknown.tell(report) }
    try await store.write { records in
      let found = try await records.find(ids, account: nil)
      unknown.note(found.memberships)
      guard authority == .receipt || !found.subscriptions.isEmpty else {
        throw SubscriptionFailure.subscriptionNotFound
      }
      let options = try await options.ending(in: records)
      for stored in found.subscriptions {
        let id = stored.subscription.originalTransactionID
        let decision = UnlinkProposal(
          by: authority, account: account, subscription: stored.subscription,
          subscriptionMembership: found.memberships.first { $0.originalTransactionID == id },
          options: options
        ).decision(at: moment)
        if case .refuse(let refusal) = decision.outcome {
          throw SubscriptionFailure.refused(refusal)
        }
        let writer = DecisionWriter(records: records, options: options, now: moment)
        try await writer.write(decision, about: id)
      }
    }
  }
}
