internal import EntitlementPolicy
internal import JSONValues
internal import JWSVerifier
internal import ReceiptModels
internal import ReceiptVerifier

extension EntitlementService {
  /// Verifies evidence of purchases in an app.
  ///
  /// - Returns: The facts of the receipt and of the signed transactions; those of a receipt without
  ///   purchases are left out.
  /// - Throws: ``EntitlementFailure``, or `CancellationError`.
  func facts(
    of evidence: UploadedEvidence, in app: EntitledApp
  ) async throws -> [PurchaseFacts] {
    guard evidence.signedTransactions.count <= Self.maximumTransactionCount else {
      throw EntitlementFailure.tooManyTransactions
    }
    // Signatures come first, because they cost no request to Apple.
    var tokens: [PurchaseFacts] = []
    for token in evidence.signedTransactions {
      tokens.append(try await self.facts(ofTransaction: token, in: app))
    }
    var facts = PurchaseFacts.merged(tokens)
    if let receipt = evidence.receipt, let found = try await self.facts(of: receipt, in: app) {
      facts.append(found)
    }
    guard facts.allSatisfy({ app.options.environments.contains($0.environment) }) else {
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

extension EntitlementFailure {
  /// Creates the failure for verified evidence without facts.
  fileprivate init(_ failure: FactsFailure, otherwise other: EntitlementFailure) {
    if case .environmentNotRecorded = failure {
      self = .environmentNotAllowed
    } else {
      self = other
    }
  }
}
