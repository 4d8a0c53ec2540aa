internal import JWSVerifier
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper

/// The evidence in a request's body: a receipt or, instead of it, a signed transaction.
enum RequestEvidence: Sendable {
  case receipt(String)
  case transaction(Verified<Transaction>, renewalInfo: Verified<RenewalInfo>?)
}

extension SubscriptionAPI {
  /// Returns the evidence in a body.
  ///
  /// If a body has both, the receipt counts, so that the answers to clients that send one stay the
  /// same.
  ///
  /// - Throws: ``RequestRefusal/missing(_:)`` if there is neither, or the refusal of a member.
  func evidence(in body: RequestBody) async throws -> RequestEvidence {
    if let receipt = try body.value(.receipt) { return .receipt(receipt) }
    if let evidence = try await signedEvidence(in: body) { return evidence }
    throw RequestRefusal.missing(.receipt)
  }

  /// Returns the verified signed transaction in a body, or nil if there is none or no verifier.
  ///
  /// If the verifier has a revocation checker, Apple is asked about the certificates.
  func signedEvidence(in body: RequestBody) async throws -> RequestEvidence? {
    guard let verifier else { return nil }
    // Both are read first, so a wrong type is refused before anything is verified.
    let (token, renewalToken) = (try body.value(.transaction), try body.value(.renewalInfo))
    guard let token else { return nil }
    let transaction = try await verified(.transaction) { () throws(SignedDataFailure) in
      try await verifier.checkingRevocation(of: verifier.transaction(token))
    }
    guard let renewalToken else {
      return .transaction(transaction, renewalInfo: nil)
    }
    let renewalInfo = try await verified(.renewalInfo) { () throws(SignedDataFailure) in
      try await verifier.checkingRevocation(of: verifier.renewalInfo(renewalToken))
    }
    return .transaction(transaction, renewalInfo: renewalInfo)
  }

  /// Records evidence.
  ///
  /// - Returns: The subscription that expires last, as stored, and Apple's statement: the answer of
  ///   verifyReceipt, or the payload of the transaction.
  func record(
    _ evidence: RequestEvidence, startingAt server: VerifyReceiptServer
  ) async throws -> (subscription: Subscription, statement: [UInt8]) {
    switch evidence {
    case .receipt(let receipt):
      let answer = try await subscriptions.ask(about: receipt, startingAt: server)
      let recorded = try await subscriptions.record(PurchaseFacts(answer))
      return (try subscriptions.latest(of: recorded), answer.rawBody)
    case .transaction(let transaction, let renewalInfo):
      let recorded = try await reportingFacts {
        try await subscriptions.record(transaction, renewalInfo: renewalInfo)
      }
      return (recorded, transaction.payloadBytes)
    }
  }

  /// Runs work, and reports the reason if verified data could not be recorded.
  func reportingFacts<Result>(
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      return try await work()
    } catch let failure as SubscriptionFailure {
      if case .notRecorded(let reason) = failure {
        subscriptions.report(.signedDataNotRecorded(reason))
      }
      throw failure
    }
  }

  /// Runs a verification.
  ///
  /// The reason for a refusal is only reported to the log.
  private func verified<Payload>(
    _ field: RequestField,
    _ work: nonisolated(nonsending) () async throws(SignedDataFailure) -> Verified<Payload>
  ) async throws -> Verified<Payload> {
    do throws(SignedDataFailure) {
      return try await work()
    } catch {
      subscriptions.report(.signedDataRefused(error))
      if case .onlineCheckFailed = error { throw RequestRefusal.revocationUnknown }
      throw RequestRefusal.invalid(field)
    }
  }
}

extension RequestBody {
  /// Returns the text of a member, or nil if it is missing, null or blank.
  func value(_ field: RequestField) throws(RequestRefusal) -> String? {
    guard let text = try text(field.rawValue), !text.isBlank else { return nil }
    return text
  }

  /// Returns the text of a required member.
  ///
  /// - Throws: ``RequestRefusal/missing(_:)`` if it is missing, null or blank.
  func required(_ field: RequestField) throws(RequestRefusal) -> String {
    guard let text = try value(field) else { throw .missing(field) }
    return text
  }
}

/// A member of a request's body, with its name in the current contract.
enum RequestField: String, Hashable, Sendable, CaseIterable {
  case accountID = "ftcId"
  case originalTransactionID = "originalTxId"
  case receipt = "receiptData"
  case transaction = "signedTransactionInfo"
  case renewalInfo = "signedRenewalInfo"
}
