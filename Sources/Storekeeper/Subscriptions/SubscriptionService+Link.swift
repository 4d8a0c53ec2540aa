internal import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SubscriptionService {
  /// Links a stored subscription with an account (current contract).
  ///
  /// No receipt is verified here. The same accepted request may be sent again; it changes nothing.
  ///
  /// - Parameters:
  ///   - ftcID: The account.
  ///   - originalTransactionID: The subscription.
  ///   - force: Whether another Apple subscription of the account is replaced.
  /// - Returns: The membership as stored.
  /// - Throws: ``SubscriptionFailure``; `refused` with the reason by the policy, after the dispute or
  ///   the claim that the contract asks for was kept; or what the store throws.
  public func link(
    account ftcID: String?, to originalTransactionID: String?, force: Bool = false
  ) async throws -> Membership {
    let given = try present(account: ftcID, transactionID: originalTransactionID)
    let ftcID = try required(given.ftcID, .ftcID)
    let id = try trimmed(transactionID: given.transactionID)
    guard let account = try await accounts.account(ftcID: ftcID) else {
      throw SubscriptionFailure.accountNotFound
    }
    return try await link(account, to: id, force: force, under: .current)
  }

  /// Decides and writes in one unit of work (L4 to L15).
  func link(
    _ account: Account, to id: String, force: Bool, under contract: LinkContract
  ) async throws -> Membership {
    let moment = now()
    let options = options(under: contract)
    let unknown = UnknownFields()
    defer { unknown.tell(report) }
    let outcome: LinkResult
    do {
      outcome = try await UniqueConflicts.retrying {
        try await store.write { records in
          try await Self.link(
            account, to: id, force, options, at: moment, noting: unknown, in: records)
        }
      }
    } catch StorageFailure.duplicate(.appleSubscriptionID) {
      outcome = try await dispute(id, account, at: moment)
    }
    switch outcome {
    case .linked(let membership): return membership
    case .refused(let refusal): throw SubscriptionFailure.refused(refusal)
    }
  }

  private static func link(
    _ account: Account, to id: String, _ force: Bool, _ options: LinkOptions, at moment: Date,
    noting unknown: UnknownFields, in records: any SubscriptionRecords
  ) async throws -> LinkResult {
    let found = try await records.find([id], account: account)
    unknown.note(found.memberships)
    guard let stored = found.subscriptions.first else {
      throw SubscriptionFailure.subscriptionNotFound
    }
    let decision = LinkProposal(
      account: account, subscription: stored.subscription, rows: found.memberships,
      force: force, options: options
    ).decision(at: moment)
    let membership = try await DecisionWriter(records: records, options: options, now: moment)
      .write(decision, about: id)
    if case .refuse(let refusal) = decision.outcome { return .refused(refusal) }
    guard let membership else { throw StorageFailure.conflict }
    return .linked(membership)
  }

  /// A conflict about the subscription that remains is answered as L11.
  private func dispute(
    _ id: String, _ account: Account, at moment: Date
  ) async throws -> LinkResult {
    try await store.write { records in
      try await records.memberships.recordDispute(
        originalTransactionID: id, account: account, now: moment)
    }
    return .refused(.linkedToOtherAccount)
  }
}

/// What a request to link came to; a refusal is a result, since what it records is kept.
private enum LinkResult: Sendable {
  case linked(Membership)
  case refused(LinkRefusal)
}
