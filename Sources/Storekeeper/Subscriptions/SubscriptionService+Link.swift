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
  /// Records a signed transaction and links its subscription with an account, in one unit of work; returns the
  /// membership as stored.
  ///
  /// Repeating an accepted request changes nothing. Whether the transaction's certificates were revoked is not
  /// checked. The renewal info is that of the same subscription. With `force`, another Apple subscription of the
  /// account is replaced.
  ///
  /// - Throws: ``SubscriptionFailure``: `refused` with the reason of the policy, `unknownProduct` or
  ///   `accountNotFound`, after the facts were recorded; or an error of the store.
  public func link(
    _ accountID: AccountID, to transaction: Verified<Transaction>,
    renewalInfo: Verified<RenewalInfo>? = nil, force: Bool = false
  ) async throws -> Membership {
    let evidence = VerifiedEvidence(transaction, renewalInfo: renewalInfo)
    return try await link(accountID, to: Self.facts(of: evidence), force: force)
  }

  /// Records verified facts, such as those of a ``PlayPurchaseSource``, and links their subscription with an account,
  /// in one unit of work.
  ///
  /// Of several subscriptions in the facts the first is linked, in ascending order of their identifiers. All else is
  /// as in ``link(_:to:renewalInfo:force:)``.
  public func link(
    _ accountID: AccountID, to facts: PurchaseFacts, force: Bool = false
  ) async throws -> Membership {
    try await link(accountID, to: facts, force: force, as: .requested)
  }

  /// Links as ``link(_:to:force:)-(_,PurchaseFacts,_)`` does, in the manner of whoever asks.
  ///
  /// Other work on the same facts is done before in the same unit of work, and only if that is written.
  func link(
    _ accountID: AccountID, to facts: PurchaseFacts, force: Bool = false, as manner: LinkManner,
    after other: UnitOfWorkBody<Void>? = nil
  ) async throws -> Membership {
    guard let account = try await accounts.account(accountID) else {
      do {
        try await record(facts)
      } catch SubscriptionFailure.unknownProduct {}
      throw SubscriptionFailure.accountNotFound
    }
    let isOwnMark = try await isMarked(facts, for: account)
    let memberships = memberships(because: .verify)
    let recorder = FactsRecorder(memberships: memberships, now: memberships.now)
    defer { memberships.unknown.tell(report) }
    return try await membership(about: facts, account, manner) { token, records in
      var token = token
      if let isOwnMark {
        if isOwnMark { token.isOwn = true } else { token.isOfOtherAccount = true }
      }
      try await other?(records)
      let recorded = try await recorder.record([facts], in: records)
      // Returned, because throwing it here would roll back the facts.
      guard let first = recorded.first else { return .unknownProduct }
      let subscription = manner == .imported ? try latest(of: recorded) : first
      let id = subscription.originalTransactionID
      let result = try await link(
        account, to: id, environment: facts.environment, continuing: facts.previousIDs(of: id),
        isOwned: subscription.owner != nil, isShown: manner == .requested, force, token,
        at: recorder.now, noting: memberships.unknown, sendingMail: manner == .requested,
        in: records)
      guard manner == .imported else { return result }
      // Thrown here, it rolls back the facts, the dispute and the other work.
      switch result {
      case .refused(let reason): throw SubscriptionFailure.refused(reason)
      case .unresolved(let other): throw UnresolvedToken(token: other)
      case .linked, .unknownProduct: return result
      }
    }
  }

  /// Links a stored subscription with an account, and returns the membership as stored.
  ///
  /// Repeating an accepted request changes nothing. With `force`, another Apple subscription of the account is
  /// replaced.
  ///
  /// - Throws: ``SubscriptionFailure``: `refused` with the reason of the policy, after the dispute or claim that the
  ///   rules require was recorded; or an error of the store.
  public func link(
    _ accountID: AccountID, to originalTransactionID: String, force: Bool = false
  ) async throws -> Membership {
    try await link(
      primaryID: accountID, secondID: nil, to: originalTransactionID, force: force)
  }

  /// Links a stored subscription with the account that has all the given identifiers, as
  /// ``link(_:to:force:)-(_,String,_)`` does.
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
    let moment = now()
    let unknown = UnknownFields(products)
    defer { unknown.tell(report) }
    return try await membership(of: id, account) { token, records in
      try await link(account, to: id, force, token, at: moment, noting: unknown, in: records)
    }
  }

  /// Links by facts; if a conflict about the subscription remains after the retries, the facts and a
  /// dispute are recorded (L11).
  private func membership(
    about facts: PurchaseFacts, _ account: Account, _ manner: LinkManner, _ body: LinkBody
  ) async throws -> Membership {
    do {
      return try await membership(account, body)
    } catch StorageFailure.duplicate(.originalTransactionID) {
      guard manner == .requested else {
        throw SubscriptionFailure.refused(.linkedToOtherAccount)
      }
      do {
        try await record(facts)
      } catch SubscriptionFailure.unknownProduct {}
      for id in facts.originalTransactionIDs { try await recordDispute(about: id, account) }
      throw SubscriptionFailure.refused(.linkedToOtherAccount)
    }
  }

  /// Links a stored subscription; if a conflict about it remains after the retries, a dispute is
  /// recorded (L11).
  private func membership(
    of id: String, _ account: Account, _ body: LinkBody
  ) async throws -> Membership {
    do {
      return try await membership(account, body)
    } catch StorageFailure.duplicate(.originalTransactionID) {
      try await recordDispute(about: id, account)
      throw SubscriptionFailure.refused(.linkedToOtherAccount)
    }
  }

  /// Runs a unit of work that links an account, and returns the linked membership.
  ///
  /// The unit of work reads the app account token of the purchases under lock. The directory is asked
  /// about the token outside of it, and the unit of work runs again.
  private func membership(_ account: Account, _ body: LinkBody) async throws -> Membership {
    var token = ResolvedToken()
    for _ in 0..<Self.tokenAttempts {
      let result: LinkResult
      do {
        result = try await UniqueConflicts.retrying { [token] in
          try await store.write { records in try await body(token, records) }
        }
      } catch let unresolved as UnresolvedToken {
        result = .unresolved(unresolved.token)
      }
      switch result {
      case .linked(let membership): return membership
      case .refused(let refusal): throw SubscriptionFailure.refused(refusal)
      case .unknownProduct: throw SubscriptionFailure.unknownProduct
      case .unresolved(let other): token = try await resolved(other, for: account)
      }
    }
    throw StorageFailure.conflict
  }

  private static let tokenAttempts = 4

  private func recordDispute(about id: String, _ account: Account) async throws {
    let moment = now()
    try await store.write { records in
      try await records.memberships.recordDispute(
        originalTransactionID: id, account: account, now: moment)
    }
  }

  /// Decides and writes inside a unit of work (L4 to L15).
  private func link(
    _ account: Account, to id: String, environment: AppStoreEnvironment = .production,
    continuing previousIDs: [String] = [], isOwned: Bool = false, isShown: Bool = false,
    _ force: Bool,
    _ token: ResolvedToken, at moment: Date, noting unknown: UnknownFields,
    sendingMail: Bool = true, in records: UnitOfWork
  ) async throws -> LinkResult {
    var questions: [UnitQuestion] = [
      .subscriptions([id]), .memberships(account: account, appleSubscriptionIDs: [id]),
    ]
    if accounts.hasAppAccountTokens { questions.append(.transactions(of: [id], environment)) }
    if !token.isOwn, !isOwned {
      // In the other environment they are asked again.
      questions.insert(
        contentsOf: PurchaseOwners.questions(
          about: ([id] + previousIDs).map {
            PurchaseKey(originalTransactionID: $0, environment: environment)
          }, besides: .subscriptions), at: 0)
    }
    try await records.prepare(for: questions)
    let found = try await records.find([id], account: account)
    unknown.note(found.memberships)
    guard let stored = found.subscriptions.first else {
      throw SubscriptionFailure.subscriptionNotFound
    }
    let options = try await options.ending(in: records)
    if accounts.hasAppAccountTokens {
      let newest = try await Self.newestToken(of: stored.subscription, in: records)
      guard newest == token.token else { return .unresolved(newest) }
    }
    var proposal = LinkProposal(
      account: account, subscription: stored.subscription, rows: found.memberships,
      force: force, options: options)
    proposal.isTokenOfOtherAccount = token.isOfOtherAccount
    if stored.subscription.owner == nil, !token.isOwn {
      var owners = PurchaseOwners(besides: .subscriptions, in: records)
      let purchases = ([id] + previousIDs).map {
        PurchaseKey(originalTransactionID: $0, environment: stored.subscription.environment)
      }
      try await owners.find(purchases)
      let relation = try owners.relation(of: purchases, to: OwnIdentifiers(account))
      if case .foreign(let owner) = relation {
        proposal.isOwnedElsewhere = true
        proposal.ownerElsewhere = owner
      }
    }
    let mover = PurchaseMover(
      capability: .subscriptions, identifiers: OwnIdentifiers(account),
      knowsTokens: accounts.hasAppAccountTokens, now: moment, unit: records)
    let purchase = PurchaseKey(
      originalTransactionID: id, environment: stored.subscription.environment)
    if try await mayMove(purchase, isShown: isShown, continuing: previousIDs, token, mover) {
      proposal.transferDates = try await mover.transferDates(of: purchase)
    } else {
      proposal.options.transfer = .never
    }
    if options.access == .gracePeriod, proposal.options.transfer != .never {
      proposal.gracePeriodEnd = try await records.gracePeriodEnds(of: [stored.subscription])[id]
    }
    let decision = proposal.decision(at: moment)
    var writer = DecisionWriter(records: records, options: options, now: moment)
    writer.sendsMail = sendingMail
    let membership = try await writer.write(decision, about: id)
    if case .transfer = decision.outcome {
      try await mover.move(purchase, from: decision.previousAccounts)
    }
    if case .refuse(let refusal) = decision.outcome { return .refused(refusal) }
    guard let membership else { throw StorageFailure.conflict }
    return .linked(membership)
  }
}

extension SubscriptionService {
  /// Returns whether the policy may move a subscription to the account; not where the account knows no more than its
  /// identifier, or where the subscription continues another one or bears a mark.
  private func mayMove(
    _ purchase: PurchaseKey, isShown: Bool, continuing previousIDs: [String],
    _ token: ResolvedToken, _ mover: PurchaseMover
  ) async throws -> Bool {
    guard isShown, options.transfer.rule(for: purchase.environment) != .never else { return false }
    let ownTokens = token.isOwn ? Set([token.token].compactMap(\.self)) : []
    return try await !mover.isBound(purchase, continuing: previousIDs, ownTokens: ownTokens)
  }
}

// MARK: App account tokens

extension SubscriptionService {
  /// Returns whether the mark of a purchase of Google Play is that of an account; nil if the host knows no account
  /// for it.
  ///
  /// The mark is not stored unless it is a UUID, so that a later link by identifier does not know it.
  private func isMarked(_ facts: PurchaseFacts, for account: Account) async throws -> Bool? {
    guard let mark = facts.inheritedMark else { return nil }
    return try await accounts.account(markedBy: mark)?.isSame(as: account)
  }

  /// Asks the directory about an app account token.
  private func resolved(_ token: UUID?, for account: Account) async throws -> ResolvedToken {
    guard let token, let owner = try await accounts.account(appAccountToken: token) else {
      return ResolvedToken(token: token)
    }
    let isOwn = owner.isSame(as: account)
    return ResolvedToken(token: token, isOwn: isOwn, isOfOtherAccount: !isOwn)
  }

  /// Returns the token of the newest stored purchase of a subscription that has one.
  private static func newestToken(
    of subscription: Subscription, in records: UnitOfWork
  ) async throws -> UUID? {
    let purchases = try await records.purchases.transactions(
      of: [subscription.originalTransactionID], environment: subscription.environment)
    return purchases.filter { $0.appAccountToken != nil }.max { one, other in
      (one.purchaseDate ?? .distantPast, one.transactionID)
        < (other.purchaseDate ?? .distantPast, other.transactionID)
    }?.appAccountToken
  }
}

/// An app account token about which the directory was asked.
private struct ResolvedToken: Sendable {
  var token: UUID?
  var isOwn = false
  var isOfOtherAccount = false
}

/// The purchases have this token, about which the directory was not asked, and nothing was written.
private struct UnresolvedToken: Error {
  let token: UUID?
}

/// The manner in which facts are linked.
enum LinkManner {
  /// By a request: a dispute is recorded, and the customer told.
  case requested
  /// From another system: of several subscriptions the one that expires last is linked, nobody's purchase moves, a
  /// claim that is refused writes nothing, and nobody is told.
  case imported
}

/// A unit of work that links, given the token that was resolved before.
private typealias LinkBody =
  nonisolated(nonsending) @Sendable (ResolvedToken, UnitOfWork) async throws ->
  LinkResult

/// The result of a request to link; a refusal is a result, because its records are kept.
private enum LinkResult: Sendable {
  case linked(Membership)
  case refused(LinkRefusal)
  case unknownProduct
  /// The purchases have this token, about which the directory was not asked.
  case unresolved(UUID?)
}
