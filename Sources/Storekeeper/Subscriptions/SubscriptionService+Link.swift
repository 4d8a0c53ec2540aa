public import JWSVerifier
public import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SubscriptionService {
  /// Records a signed transaction and links its subscription with an account, in one unit of work.
  ///
  /// Repeating an accepted request changes nothing.
  ///
  /// - Parameters:
  ///   - accountID: The account.
  ///   - transaction: The transaction; whether its certificates were revoked is not checked.
  ///   - renewalInfo: The renewal info of the same subscription, if available.
  ///   - force: Whether another Apple subscription of the account is replaced.
  /// - Returns: The membership as stored.
  /// - Throws: ``SubscriptionFailure``: `refused` with the reason of the policy, `unknownProduct`
  ///   or `accountNotFound`, after the facts were recorded; or an error of the store.
  public func link(
    _ accountID: AccountID, to transaction: Verified<Transaction>,
    renewalInfo: Verified<RenewalInfo>? = nil, force: Bool = false
  ) async throws -> Membership {
    let facts = try Self.facts(transaction, renewalInfo)
    guard let account = try await accounts.account(accountID) else {
      try await record(facts)
      throw SubscriptionFailure.accountNotFound
    }
    let isOthers = try await isOfOtherAccount(transaction.payload.appAccountToken, than: account)
    let recorder = recorder(because: .verify)
    defer { recorder.unknown.tell(report) }
    return try await membership(about: facts.originalTransactionIDs, account) { records in
      let recorded = try await recorder.record(facts, in: records)
      // Returned, because throwing it here would roll back the facts.
      guard let subscription = recorded.first else { return .unknownProduct }
      return try await link(
        account, to: subscription.originalTransactionID, force, isOthers, at: recorder.now,
        noting: recorder.unknown, in: records)
    }
  }

  /// Links a stored subscription with an account.
  ///
  /// Repeating an accepted request changes nothing.
  ///
  /// - Parameters:
  ///   - accountID: The account.
  ///   - originalTransactionID: The subscription.
  ///   - force: Whether another Apple subscription of the account is replaced.
  /// - Returns: The membership as stored.
  /// - Throws: ``SubscriptionFailure``: `refused` with the reason of the policy, after the dispute
  ///   or claim that the rules require was recorded; or an error of the store.
  public func link(
    _ accountID: AccountID, to originalTransactionID: String, force: Bool = false
  ) async throws -> Membership {
    try await link(
      primaryID: accountID, secondID: nil, to: originalTransactionID, force: force)
  }

  /// Links a stored subscription with the account that has all the given identifiers.
  ///
  /// - Parameters:
  ///   - primaryID: The host's own identifier of the account.
  ///   - secondID: The second identifier of the account.
  ///   - originalTransactionID: The subscription.
  ///   - force: Whether another Apple subscription of the account is replaced.
  /// - Returns: The membership as stored.
  /// - Throws: As ``link(_:to:force:)``.
  public func link(
    primaryID: AccountID?, secondID: AccountID?, to originalTransactionID: String,
    force: Bool = false
  ) async throws -> Membership {
    let id = try checked(originalTransactionID)
    let found =
      if let primaryID, secondID == nil {
        try await accounts.account(primaryID)
      } else {
        try await accounts.account(primaryID: primaryID, secondID: secondID)
      }
    guard let account = found else { throw SubscriptionFailure.accountNotFound }
    let isOthers = try await isOfOtherAccount(storedToken(of: id), than: account)
    let moment = now()
    let unknown = UnknownFields(products)
    defer { unknown.tell(report) }
    return try await membership(about: [id], account) { records in
      try await link(account, to: id, force, isOthers, at: moment, noting: unknown, in: records)
    }
  }

  /// Runs a unit of work that links an account, and returns the linked membership.
  ///
  /// If a conflict about the subscription remains after the retries, a dispute is recorded (L11).
  private func membership(
    about ids: [String], _ account: Account,
    _ body: nonisolated(nonsending) @Sendable (any SubscriptionRecords) async throws -> LinkResult
  ) async throws -> Membership {
    let result: LinkResult
    do {
      result = try await UniqueConflicts.retrying { try await store.write(body) }
    } catch StorageFailure.duplicate(.originalTransactionID) {
      let moment = now()
      try await store.write { records in
        for id in ids {
          try await records.memberships.recordDispute(
            originalTransactionID: id, account: account, now: moment)
        }
      }
      throw SubscriptionFailure.refused(.linkedToOtherAccount)
    }
    switch result {
    case .linked(let membership): return membership
    case .refused(let refusal): throw SubscriptionFailure.refused(refusal)
    case .unknownProduct: throw SubscriptionFailure.unknownProduct
    }
  }

  /// Decides and writes inside a unit of work (L4 to L15).
  private func link(
    _ account: Account, to id: String, _ force: Bool, _ isOthers: Bool, at moment: Date,
    noting unknown: UnknownFields, in records: any SubscriptionRecords
  ) async throws -> LinkResult {
    let found = try await records.find([id], account: account)
    unknown.note(found.memberships)
    guard let stored = found.subscriptions.first else {
      throw SubscriptionFailure.subscriptionNotFound
    }
    var proposal = LinkProposal(
      account: account, subscription: stored.subscription, rows: found.memberships,
      force: force, options: options)
    proposal.isTokenOfOtherAccount = isOthers
    let decision = proposal.decision(at: moment)
    let membership = try await DecisionWriter(records: records, options: options, now: moment)
      .write(decision, about: id)
    if case .refuse(let refusal) = decision.outcome { return .refused(refusal) }
    guard let membership else { throw StorageFailure.conflict }
    return .linked(membership)
  }
}

// MARK: App account tokens

extension SubscriptionService {
  /// Returns whether an app account token belongs to another account.
  private func isOfOtherAccount(_ token: UUID?, than account: Account) async throws -> Bool {
    guard let token, accounts.hasAppAccountTokens,
      let owner = try await accounts.account(appAccountToken: token)
    else { return false }
    return owner.id != account.id
  }

  /// Returns the token of the newest stored purchase of a subscription, if the directory knows
  /// tokens.
  private func storedToken(of id: String) async throws -> UUID? {
    guard accounts.hasAppAccountTokens else { return nil }
    return try await store.read { records in
      guard let stored = try await records.subscriptions.find([id]).first else { return nil }
      let purchases = try await records.purchases.transactions(
        of: [id], environment: stored.subscription.environment)
      let tokens = purchases.filter { $0.appAccountToken != nil }
      return tokens.max { one, other in
        (one.purchaseDate ?? .distantPast, one.transactionID)
          < (other.purchaseDate ?? .distantPast, other.transactionID)
      }?.appAccountToken
    }
  }
}

/// The result of a request to link; a refusal is a result, because its records are kept.
private enum LinkResult: Sendable {
  case linked(Membership)
  case refused(LinkRefusal)
  case unknownProduct
}
