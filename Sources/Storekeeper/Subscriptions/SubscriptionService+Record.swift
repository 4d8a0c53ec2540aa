public import JWSVerifier
internal import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SubscriptionService {
  /// Records a signed transaction, with its renewal info if available, and returns the subscription as stored.
  ///
  /// The sender is not necessarily the owner of the purchase, so no membership begins; see
  /// ``link(_:to:renewalInfo:force:)``. If the renewal info is missing and none is stored, the subscription counts as
  /// one that does not renew.
  ///
  /// - Throws: ``SubscriptionFailure``, or an error of the store.
  @discardableResult
  public func record(
    _ transaction: Verified<Transaction>, renewalInfo: Verified<RenewalInfo>? = nil
  ) async throws -> Subscription {
    let evidence = VerifiedEvidence(transaction, renewalInfo: renewalInfo)
    return try latest(of: await record(Self.facts(of: evidence)))
  }

  /// Records verified facts, and returns the subscriptions of known products, as stored.
  ///
  /// Every other method that records evidence records its facts in the same way. The facts are merged with the stored
  /// ones, and the newer of two counts. The subscriptions are derived from all of them, and their memberships are
  /// updated.
  ///
  /// - Throws: ``SubscriptionFailure/unknownProduct`` after the facts were recorded,
  ///   ``SubscriptionFailure/environmentMismatch``, or an error of the store.
  @discardableResult
  public func record(_ facts: PurchaseFacts) async throws -> [Subscription] {
    try await record(facts, because: .verify)
  }

  /// Verifies a receipt in base64 with Apple, whose given server is asked first, and records the answer, which is
  /// returned unchanged.
  ///
  /// - Throws: ``SubscriptionFailure``, or an error of the store.
  public func verify(
    receipt: String, startingAt server: VerifyReceiptServer = .production
  ) async throws -> VerifiedReceipt {
    let answer = try await verifying { try await $0.answer(about: receipt, startingAt: server) }
    try await record(Self.facts(of: VerifiedEvidence(answer, .subscriptions)))
    return answer
  }

  /// Verifies a receipt as ``verify(receipt:startingAt:)`` does, and returns the subscription that expires last, as
  /// stored.
  ///
  /// - Throws: ``SubscriptionFailure``, or an error of the store.
  public func subscription(
    receipt: String, startingAt server: VerifyReceiptServer = .production
  ) async throws -> Subscription {
    let verified = try await verifying {
      try await $0.verified(.receipt(receipt), startingAt: server)
    }
    return try latest(of: await record(Self.facts(of: verified)))
  }

  /// Verifies evidence without recording it, and reports why signed data was refused.
  ///
  /// - Throws: ``SubscriptionFailure``, or `CancellationError`.
  package func verifying<Result>(
    by verifier: SignedDataVerifier? = nil,
    _ work: nonisolated(nonsending) (EvidenceVerifier) async throws -> Result
  ) async throws -> Result {
    do {
      let context = context.with(verifier: verifier)
      return try await work(
        EvidenceVerifier(context, appStore: appStore, extent: .subscriptions))
    } catch let failure as EvidenceFailure {
      if case .signedData(let reason, _) = failure { report(.signedDataRefused(reason)) }
      if case .verifyReceipt(let reason) = failure { report(.receiptNotVerified(reason)) }
      throw SubscriptionFailure(failure)
    }
  }

  /// Returns the subscription that expires last or, of two with the same expiry, the one with the
  /// greater ID.
  ///
  /// - Throws: ``SubscriptionFailure/unknownProduct`` if there is no subscription.
  package func latest(of subscriptions: [Subscription]) throws -> Subscription {
    let latest = subscriptions.max { one, other in
      one.expiresDate == other.expiresDate
        ? TransactionIDs.areInOrder(one.originalTransactionID, other.originalTransactionID)
        : one.expiresDate < other.expiresDate
    }
    guard let latest else { throw SubscriptionFailure.unknownProduct }
    return latest
  }
}

extension SubscriptionService {
  package static func facts(
    of evidence: VerifiedEvidence
  ) throws(SubscriptionFailure) -> PurchaseFacts {
    try evidence.facts.mapError { SubscriptionFailure($0) }.get()
  }

  func memberships(because reason: SnapshotReason) -> MembershipFollower {
    MembershipFollower(products: products, options: options, reason: reason, now: now())
  }

  /// Returns a recorder for a host that has memberships alone.
  func recorder(because reason: SnapshotReason) -> FactsRecorder {
    let memberships = memberships(because: reason)
    return FactsRecorder(memberships: memberships, now: memberships.now)
  }

  /// Records facts in one unit of work, then fills the receipt caches.
  func record(_ facts: PurchaseFacts, because reason: SnapshotReason) async throws -> [Subscription]
  {
    let recorder = recorder(because: reason)
    let subscriptions = try await recorder.recording(in: context, retries: 3) {
      try await recorder.record([facts], in: $0)
    }
    guard !subscriptions.isEmpty else { throw SubscriptionFailure.unknownProduct }
    await cacheReceipt(of: facts, for: subscriptions)
    return subscriptions
  }

  func cacheReceipt(of facts: PurchaseFacts, for subscriptions: [Subscription]) async {
    guard let receipt = facts.receipt else { return }
    for subscription in subscriptions {
      await tiers.fill(
        StoredReceipt(
          originalTransactionID: subscription.originalTransactionID,
          environment: facts.environment, receipt: receipt, asOf: facts.asOf),
        wasStored: facts.storedID != nil)
    }
  }
}
