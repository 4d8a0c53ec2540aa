internal import EntitlementPolicy
internal import GooglePlayVerifier
internal import JSONValues
internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier

extension EntitlementService {
  /// Verifies evidence of purchases in an app.
  ///
  /// - Returns: The facts of the receipt, of the signed transactions, and of the purchase tokens; those of a
  ///   receipt without purchases are left out.
  /// - Throws: ``EntitlementFailure``, ``EvidenceOutage`` if a store could not be asked, or
  ///   `CancellationError`.
  func facts(
    of evidence: UploadedEvidence, in app: EntitledApp
  ) async throws -> [PurchaseFacts] {
    guard evidence.signedTransactions.count <= Self.maximumTransactionCount,
      evidence.purchaseTokens.count <= Self.maximumTokenCount
    else {
      throw EntitlementFailure.tooManyTransactions
    }
    // Signatures come first, because they cost no request to Apple.
    var tokens: [PurchaseFacts] = []
    for token in evidence.signedTransactions {
      tokens.append(
        try await EvidenceOutage.naming(.apple) {
          try await self.facts(ofTransaction: token, in: app)
        })
    }
    var facts = PurchaseFacts.merged(tokens)
    if let receipt = evidence.receipt {
      let found = try await EvidenceOutage.naming(.apple) {
        try await self.facts(of: receipt, in: app)
      }
      if let found { facts.append(found) }
    }
    for token in Set(evidence.purchaseTokens).sorted() {
      facts.append(
        try await EvidenceOutage.naming(.google) {
          try await self.facts(ofPurchaseToken: token, in: app)
        })
    }
    // The app is as it is for the user.
    guard facts.allSatisfy({ app.options.environments.count($0.environment, for: nil) }) else {
      throw EntitlementFailure.environmentNotAllowed
    }
    return facts
  }

  private func facts(
    ofTransaction token: String, in app: EntitledApp
  ) async throws -> PurchaseFacts {
    guard let verifier else { throw EntitlementFailure.transactionsNotSupported }
    let transaction: Verified<Transaction>
    do throws(SignedDataFailure) {
      transaction = try await verifier.checkingRevocation(of: try verifier.transaction(token))
    } catch {
      report(.signedDataRefused(error))
      throw EntitlementFailure(error)
    }
    guard transaction.bundleID?.isSameText(as: app.bundleID) == true else {
      throw EntitlementFailure.bundleMismatch
    }
    // A subscription without an end says nothing about whether it is active (section 5.1).
    if transaction.payload.type == .autoRenewableSubscription,
      transaction.payload.expiresDate == nil
    {
      throw EntitlementFailure.transactionInvalid
    }
    do throws(FactsFailure) {
      return try PurchaseFacts(transaction)
    } catch {
      throw EntitlementFailure(error, otherwise: .transactionInvalid)
    }
  }

  private func facts(
    of receipt: String, in app: EntitledApp
  ) async throws -> PurchaseFacts? {
    do {
      if let appStore {
        let verified = try await appStore.ask(about: receipt, startingAt: .production)
        guard verified.response.bundleID?.isSameText(as: app.bundleID) == true else {
          throw EntitlementFailure.bundleMismatch
        }
        return try PurchaseFacts(allOf: verified, posted: receipt)
      }
      guard let receipts else { throw EntitlementFailure.receiptsNotSupported }
      let verified = try receipts.verify(base64: receipt)
      guard verified.receipt.bundleID.isSameText(as: app.bundleID) else {
        throw EntitlementFailure.bundleMismatch
      }
      return try PurchaseFacts(verified)
    } catch SubscriptionFailure.verification(let failure) {
      throw EntitlementFailure(failure)
    } catch SubscriptionFailure.notRecorded(let failure) {
      if failure == .empty { return nil }
      throw EntitlementFailure(failure, otherwise: .receiptInvalid)
    } catch let failure as FactsFailure {
      if failure == .empty { return nil }
      throw EntitlementFailure(failure, otherwise: .receiptInvalid)
    } catch let failure as ReceiptFailure {
      throw EntitlementFailure(failure)
    }
  }
}

/// The failure to ask a store about evidence.
struct EvidenceOutage: Error {
  /// The store that could not be asked.
  let vendor: Vendor

  /// Does work, and names the store that could not be asked.
  fileprivate static func naming<Result>(
    _ vendor: Vendor, _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      return try await work()
    } catch EntitlementFailure.appStoreUnavailable {
      throw EvidenceOutage(vendor: vendor)
    }
  }

  /// Whether a stored purchase is one about which only what failed can speak.
  ///
  /// For Apple that is verifyReceipt, which the App Store Server API can stand in for.
  func concerns(_ purchase: PurchaseReference, _ sources: [any PurchaseSource]) -> Bool {
    guard purchase.vendor == vendor else { return false }
    return vendor != .apple
      || !sources.contains { !($0 is StoredReceiptSource) && $0.scope.contains(purchase) }
  }
}

// MARK: Google Play

extension EntitlementService {
  /// Asks Google about a purchase token, which does not tell whether it is of a subscription.
  private func facts(
    ofPurchaseToken token: String, in app: EntitledApp
  ) async throws -> PurchaseFacts {
    guard let play = app.googlePlay else { throw EntitlementFailure.purchaseTokensNotSupported }
    let source = PlayPurchaseSource(play, store: store, now: now)
    do {
      return try await source.facts(ofToken: token)
    } catch let failure as GooglePlayFailure {
      if failure.kind == .cancelled { throw CancellationError() }
      throw EntitlementFailure(failure, of: source.scope, report)
    } catch let failure as FactsFailure {
      throw EntitlementFailure(failure, otherwise: .purchaseTokenInvalid)
    }
  }
}

extension EntitlementFailure {
  /// Creates the failure for a purchase token about which Google was asked.
  fileprivate init(
    _ failure: GooglePlayFailure, of scope: PurchaseScope,
    _ report: @Sendable (ServiceIncident) -> Void
  ) {
    if case .packageNameMismatch = failure {
      self = .bundleMismatch
      return
    }
    switch failure.kind {
    case .invalid, .gone: self = .purchaseTokenInvalid
    default:
      report(.sourceFailed(failure, of: scope))
      self = .appStoreUnavailable
    }
  }

  /// Creates the failure for verified evidence without facts.
  fileprivate init(_ failure: FactsFailure, otherwise other: EntitlementFailure) {
    if case .environmentNotRecorded = failure {
      self = .environmentNotAllowed
    } else {
      self = other
    }
  }
}
