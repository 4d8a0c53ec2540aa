public import PurchaseStorage
public import ReceiptModels

// In one exchange with the server, where the driver can.
extension SQLRecords {
  /// The subscriptions, then the memberships, as ``subscriptions`` and ``memberships`` find them.
  public func find(
    _ originalTransactionIDs: [String], account: Account?
  ) async throws -> LinkRows {
    let memberships = SQLMemberships(session: session)
    let subscriptions = session.call(.findSubscriptions, ids: originalTransactionIDs)
    let calls = memberships.calls(account: account, appleSubscriptionIDs: originalTransactionIDs)
    let answers = try await session.query((subscriptions.map { [$0] } ?? []) + calls)
    return LinkRows(
      subscriptions: answers.dropLast(calls.count).joined().map(StoredSubscription.init(row:)),
      memberships: try await memberships.memberships(
        asked: calls, answers.suffix(calls.count)))
  }

  /// The evidence, then the memberships, as ``purchases`` and ``memberships`` find them.
  public func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String]
  ) async throws -> EvidenceRows {
    let memberships = SQLMemberships(session: session)
    let calls = memberships.calls(account: nil, appleSubscriptionIDs: appleSubscriptionIDs)
    let evidence = [ListStatement.findTransactions, .findRenewals].compactMap {
      session.call($0, ids: originalTransactionIDs, before: [.environment(environment)])
    }
    let answers = try await session.query(evidence + calls)
    let found = answers.dropLast(calls.count)
    return EvidenceRows(
      transactions: found.first?.map(PurchaseRecord.init(row:)) ?? [],
      renewals: found.last?.map(RenewalRecord.init(row:)) ?? [],
      memberships: try await memberships.memberships(
        asked: calls, answers.suffix(calls.count)))
  }
}
