public import CreditPolicy
public import JWSVerifier
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CreditService {
  /// Gives a user the credits of a purchase, once, for the transaction that a client sent as a compact JWS; they may
  /// have been given before.
  ///
  /// The checks run in the order of the contract. If a starter pack is refused because the identity has bought one,
  /// the host is told by a message in the outbox (`starter_refused`), because the customer has paid. Source: credit
  /// rules, sections 2 and 3.
  ///
  /// - Throws: ``CreditFailure``, or an error of the host's accounts or the store.
  public func grant(
    _ claim: GrantClaim, signedTransactionInfo: String
  ) async throws -> CreditGrant {
    guard let product = products[claim.productCode] else {
      throw CreditFailure.refused(.productNotFound)
    }
    let transaction: Verified<Transaction>
    do throws(EvidenceFailure) {
      transaction = try await EvidenceVerifier(context).transaction(signedTransactionInfo)
    } catch {
      switch error {
      // The contract looks at the app before the environment.
      case .signedData(.environmentNotAllowed, _), .signedData(.environmentUnknown, _),
        .signedData(.environmentMissing, _):
        let other = verifier.bundleFailure(ofTransaction: signedTransactionInfo)
        throw CreditFailure(other.map { .signedData($0) } ?? error)
      default: throw CreditFailure(error)
      }
    }
    return try await grant(claim, product, checked: transaction)
  }

  /// Gives a user the credits of a purchase, once, for a verified transaction.
  ///
  /// The checks are those of ``grant(_:signedTransactionInfo:)``. Of which app and in which environment the
  /// transaction was made is checked by the verifier that returned it, and by the service's options; there is no app
  /// account token of a client to compare.
  ///
  /// - Throws: ``CreditFailure``, or an error of the host's accounts or the store.
  public func grant(
    _ transaction: Verified<Transaction>, of code: String, to userID: AccountID
  ) async throws -> CreditGrant {
    guard let product = products[code] else { throw CreditFailure.refused(.productNotFound) }
    let claim = GrantClaim(
      userID: userID, productCode: code, appStoreProductID: product.appStoreProductID,
      transactionID: transaction.payload.transactionID ?? "")
    let checked: Verified<Transaction>
    do throws(SignedDataFailure) {
      checked = try await verifier.checkingRevocation(of: transaction)
    } catch {
      throw CreditFailure(.signedData(error))
    }
    return try await grant(claim, product, checked: checked)
  }

  /// Returns the environments whose purchases count for a user.
  func environments(for userID: AccountID) async throws -> CountedEnvironments {
    try await options.environments.counting(for: userID, in: accounts, store, at: now())
  }

  private func grant(
    _ claim: GrantClaim, _ product: CreditProduct, checked: Verified<Transaction>
  ) async throws -> CreditGrant {
    let environments = try await environments(for: claim.userID)
    guard environments.count(checked.environment, for: nil) else {
      throw CreditFailure.environmentNotAllowed(checked.environment)
    }
    guard let purchase = CreditPurchase(checked, at: now()) else {
      throw CreditFailure.payloadInvalid
    }
    var proposal = GrantProposal(claim: claim, product: product, purchase: purchase)
    if let objection = proposal.objection { throw CreditFailure.refused(objection) }
    if let token = purchase.appAccountToken {
      proposal.hostToken = try await accounts.appAccountToken(of: claim.userID)
      if let objection = proposal.objection { throw CreditFailure.refused(objection) }
      guard try await !isToken(token, ofOtherThan: claim.userID) else {
        throw CreditFailure.refused(.appAccountTokenMismatch)
      }
    }
    // Without facts, the purchase is not among those that history and reconciliation see.
    let facts = VerifiedEvidence(checked).facts
    if case .failure(.facts(let reason)) = facts { report(.signedDataNotRecorded(reason)) }
    return try await carryOut(proposal, product, facts: try? facts.get())
  }

  /// Grants the credits of a purchase to which nothing but what is stored can object; `others` runs in the unit of
  /// work of a new grant, and returns the balance after it.
  func carryOut(
    _ proposal: GrantProposal, _ product: CreditProduct, facts: PurchaseFacts?,
    _ others:
      nonisolated(nonsending) @escaping @Sendable (
        CreditGrant, UnitOfWork
      ) async throws -> Int = { grant, _ in grant.newBalance }
  ) async throws -> CreditGrant {
    let identity =
      product.type == .starter ? try await identity(of: proposal.claim.userID) : nil
    let unit = GrantUnit(proposal: proposal, identity: identity, facts: facts, now: now())
    do throws(any Error) {
      return try await retrying {
        try await store.write { records in
          var grant = try await unit.run(in: records)
          if grant.status == .granted { grant.newBalance = try await others(grant, records) }
          return grant
        }
      }
    } catch CreditFailure.refused(.starterIneligible) {
      try await tellStarterRefused(unit.proposal)
      throw CreditFailure.refused(.starterIneligible)
    }
  }

  /// Returns whether the host made an app account token for another account, as far as the host can tell.
  private func isToken(_ token: UUID, ofOtherThan userID: AccountID) async throws -> Bool {
    guard accounts.hasAppAccountTokens else { return false }
    let owner = try await accounts.account(appAccountToken: token)
    return owner.map { !$0.isKnown(as: userID) } ?? false
  }

  private func identity(of userID: AccountID) async throws -> String {
    let identity = options.identity(try await accounts.emailAddress(of: userID), userID)
    return identity.isEmpty ? StarterIdentity.identity(email: nil, userID: userID) : identity
  }

  /// Tells the host that a customer paid for a starter pack and did not get it, once for each customer and
  /// transaction while the message is stored.
  ///
  /// In a unit of work of its own, because that of the grant has written nothing.
  private func tellStarterRefused(_ proposal: GrantProposal) async throws {
    let message = OutboxMessage(
      kind: .starterRefused, account: Account(id: proposal.claim.userID),
      originalTransactionID: proposal.purchase.originalTransactionID,
      reference: proposal.purchase.transactionID)
    let now = now()
    do {
      try await store.write { try await $0.outbox.add(message, now: now) }
    } catch StorageFailure.duplicate {
      // It is told already.
    }
  }

  /// Runs a unit of work that takes effect once, however often it runs.
  ///
  /// It runs again with fresh reads after each conflict about a unique key, at most five times, and once more if the
  /// outcome of a commit is unknown. The outcome stays unknown unless that run succeeds or is refused, so also if
  /// it is cancelled, or if the purchase is found revoked: the credits may have been given, and taken back since.
  ///
  /// - Throws: ``CreditFailure/conflict`` if a conflict remains, or another error of the work.
  func retrying<Result: Sendable>(
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      do {
        return try await UniqueConflicts.retrying(5, work)
      } catch StorageFailure.unavailable(mayHaveCommitted: true, let detail) {
        do {
          return try await UniqueConflicts.retrying(5, work)
        } catch let refusal as CreditFailure where refusal != .refused(.revoked) {
          throw refusal
        } catch {
          throw StorageFailure.unavailable(mayHaveCommitted: true, detail: detail)
        }
      }
    } catch StorageFailure.duplicate {
      throw CreditFailure.conflict
    } catch StorageFailure.conflict {
      throw CreditFailure.conflict
    }
  }
}

/// The unit of work of a grant: steps 7 to 12.
///
/// It locks in the order transaction, claim, account.
private struct GrantUnit {
  let proposal: GrantProposal
  let identity: String?
  let facts: PurchaseFacts?
  let now: Date

  func run(in records: UnitOfWork) async throws -> CreditGrant {
    let transactions = try records.creditTransactions
    // Most transactions are new, so the row is inserted without a look at the table; the unique key tells
    // whether there was one.
    if case .grant(let transaction) = decision(stored: nil),
      let row = try await transactions.insert(transaction, now: now)
    {
      return try await grant(row, in: records)
    }
    let purchase = proposal.purchase
    let stored = try await transactions.find(
      transactionID: purchase.transactionID, environment: purchase.environment)
    switch decision(stored: stored) {
    case .refuse(.amountOutOfRange):
      throw CreditFailure.refused(
        try await isStarterUsed(in: records) ? .starterIneligible : .amountOutOfRange)
    case .refuse(let refusal): throw CreditFailure.refused(refusal)
    case .alreadyGranted(let event):
      return result(
        .alreadyGranted, credits: 0, event,
        balance: try await records.creditLedger.balance(of: proposal.claim.userID))
    case .grant(let transaction):
      // The row was there for the insertion, so it cannot be missing now.
      guard transaction.id != nil else { throw StorageFailure.conflict }
      try await transactions.update(transaction, now: now)
      return try await grant(transaction, in: records)
    }
  }

  /// Decides without a look at the starter packs, which the claim tells, and at the balance, which the
  /// booking locks and checks.
  private func decision(stored: CreditTransaction?) -> GrantDecision {
    proposal.decision(stored: stored, isStarterUsed: false, balance: 0)
  }

  /// Gives the credits of a row that is written and locked.
  private func grant(
    _ row: CreditTransaction, in records: UnitOfWork
  ) async throws -> CreditGrant {
    if let identity {
      let isFirst = try await records.starterClaims.mark(
        identity: identity, userID: proposal.claim.userID,
        transactionID: row.purchase.transactionID, now: now)
      guard isFirst else { throw CreditFailure.refused(.starterIneligible) }
    }
    guard let booking = LedgerBooking(purchase: row),
      case .booked(let entry) = try await records.creditLedger.book(booking, now: now)
    else { throw CreditFailure.refused(.amountOutOfRange) }
    try await facts?.keepPurchases(in: records, now: now)
    return result(
      .granted, credits: booking.amount, booking.eventID, balance: entry.balanceAfter)
  }

  private func isStarterUsed(in records: UnitOfWork) async throws -> Bool {
    guard let identity else { return false }
    return try await records.starterClaims.find(identity: identity)?.hasPurchasedStarterPack
      ?? false
  }

  private func result(
    _ status: CreditGrant.Status, credits: Int, _ event: String, balance: Int
  ) -> CreditGrant {
    CreditGrant(
      status: status, productCode: proposal.claim.productCode,
      transactionID: proposal.purchase.transactionID, creditsAdded: credits, newBalance: balance,
      ledgerEventID: event)
  }
}

extension CreditFailure {
  init(_ failure: EvidenceFailure) {
    switch failure {
    case .signedData(.onlineCheckFailed(let cause), _):
      self = .revocationUnknown(.onlineCheckFailed(cause))
    case .signedData(.environmentNotAllowed(let environment), _):
      self = .environmentNotAllowed(environment)
    case .signedData(.environmentUnknown(let name), _):
      self = .environmentNotAllowed(AppStoreEnvironment(rawValue: name))
    case .signedData(.environmentMissing, _), .signedData(.bundleMismatch(found: nil), _),
      .signedData(.payloadMalformed, _), .signedData(.fieldType, _):
      self = .payloadInvalid
    case .signedData(let reason, _): self = .notVerified(reason)
    default: self = .payloadInvalid
    }
  }
}

extension CreditPurchase {
  /// Creates a purchase from a signed transaction, made `now` if it has no date; nil if it lacks a value that is needed.
  init?(_ transaction: Verified<Transaction>, at now: Date) {
    let payload = transaction.payload
    let quantity = payload.quantity ?? 1
    guard let id = payload.transactionID, TransactionIDs.areDigits(id),
      let productID = payload.productID, StoredText.fits(productID, .productID),
      let bundleID = transaction.bundleID, quantity >= 1
    else { return nil }
    let originalID = payload.originalTransactionID ?? id
    guard TransactionIDs.areDigits(originalID) else { return nil }
    self.init(
      environment: transaction.environment, transactionID: id,
      originalTransactionID: originalID, bundleID: bundleID, productID: productID,
      quantity: quantity, purchaseDate: payload.purchaseDate ?? transaction.signedDate ?? now,
      appAccountToken: payload.appAccountToken, revocationDate: payload.revocationDate)
  }
}

/// The credits of a verified purchase.
///
/// Source: credit rules, section 1.
public struct CreditGrant: Hashable, Sendable {
  /// The outcome of a request.
  public enum Status: Hashable, Sendable, CaseIterable {
    case granted
    case alreadyGranted
  }

  public let status: Status
  public let productCode: String
  public let transactionID: String
  /// The credits that were given now; 0 if they were given before.
  public let creditsAdded: Int
  public internal(set) var newBalance: Int
  /// The identifier of the purchase's entry in the ledger.
  public let ledgerEventID: String
}
