internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

extension EntitlementService {
  /// Verifies evidence of purchases in an app, and returns its facts; those of a receipt without purchases are left
  /// out.
  ///
  /// - Throws: ``EntitlementFailure``, ``EvidenceOutage`` if a store could not be asked, or `CancellationError`.
  func facts(
    of evidence: UploadedEvidence, in app: EntitledApp
  ) async throws -> [PurchaseFacts] {
    guard evidence.signedTransactions.count <= Self.maximumTransactionCount,
      evidence.purchaseTokens.count <= Self.maximumTokenCount
    else { throw EntitlementFailure.tooManyTransactions }
    // Signatures come first, because they cost no request to Apple.
    var tokens: [PurchaseFacts] = []
    for token in evidence.signedTransactions {
      tokens += try await facts(of: .signedTransaction(token), in: app)
    }
    var facts = PurchaseFacts.merged(tokens)
    if let receipt = evidence.receipt {
      facts += try await self.facts(of: .receipt(receipt), in: app)
    }
    for token in Set(evidence.purchaseTokens).sorted() {
      facts += try await self.facts(of: .purchaseToken(token), in: app)
    }
    // The app is as it is for the user.
    guard facts.allSatisfy({ app.options.environments.count($0.environment, for: nil) }) else {
      throw EntitlementFailure.environmentNotAllowed
    }
    return facts
  }

  private func facts(
    of evidence: PurchaseEvidence, in app: EntitledApp
  ) async throws -> [PurchaseFacts] {
    let verifier = EvidenceVerifier(
      context, appStore: appStore, receipts: receipts, googlePlay: app.googlePlay)
    do {
      let facts = try await verifier.facts(of: evidence, inApp: app.bundleID)
      // A subscription without an end says nothing about whether it is active (section 5.1).
      if case .signedTransaction = evidence, let sent = facts.purchases.first,
        sent.productType == .autoRenewableSubscription, sent.expiresDate == nil
      {
        throw EntitlementFailure.transactionInvalid
      }
      return [facts]
    } catch let failure as EvidenceFailure {
      if case .receipt = evidence, failure == .facts(.empty) { return [] }
      if case .signedData(let reason, _) = failure { report(.signedDataRefused(reason)) }
      if case .verifyReceipt(let reason) = failure { report(.receiptNotVerified(reason)) }
      let refusal = EntitlementFailure(failure, of: evidence)
      guard refusal == .appStoreUnavailable else { throw refusal }
      if case .googlePlay(let reason) = failure {
        let scope = PurchaseScope(vendor: .google, appID: app.googlePlay?.packageName)
        report(.sourceFailed(reason, of: scope))
      }
      throw EvidenceOutage(vendor: evidence.vendor)
    }
  }
}

/// The failure to ask a store about evidence.
struct EvidenceOutage: Error {
  let vendor: Vendor

  /// Whether a stored purchase is one about which only what failed can speak.
  ///
  /// For Apple that is verifyReceipt, which the App Store Server API can stand in for.
  func concerns(_ purchase: PurchaseReference, _ sources: [any PurchaseSource]) -> Bool {
    guard purchase.vendor == vendor else { return false }
    return vendor != .apple
      || !sources.contains { !($0 is StoredReceiptSource) && $0.scope.contains(purchase) }
  }
}
