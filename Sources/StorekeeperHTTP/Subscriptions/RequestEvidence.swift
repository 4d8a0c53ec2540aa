internal import JSONValues
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper

extension SubscriptionAPI {
  /// Returns the evidence in a body: a receipt or, instead of it, a signed transaction.
  ///
  /// If a body has both, the receipt counts, so that the answers to clients that send one stay the same.
  ///
  /// - Throws: ``RequestRefusal/missing(_:)`` if there is neither, or the refusal of a member.
  func evidence(in body: RequestBody) throws(RequestRefusal) -> PurchaseEvidence {
    if let receipt = try body.value(.receipt) { return .receipt(receipt) }
    guard let evidence = try signedEvidence(in: body) else { throw .missing(.receipt) }
    return evidence
  }

  /// Returns the signed transaction in a body, or nil if there is none or no verifier.
  func signedEvidence(in body: RequestBody) throws(RequestRefusal) -> PurchaseEvidence? {
    guard verifier != nil else { return nil }
    // Both are read first, so a wrong type is refused before anything is verified.
    let (token, renewalInfo) = (try body.value(.transaction), try body.value(.renewalInfo))
    return token.map { .signedTransaction($0, renewalInfo: renewalInfo) }
  }

  /// Verifies evidence.
  func verified(
    _ evidence: PurchaseEvidence, startingAt server: VerifyReceiptServer = .production
  ) async throws -> VerifiedEvidence {
    try await subscriptions.verifying(by: verifier) {
      try await $0.verified(evidence, startingAt: server)
    }
  }

  /// Returns the facts of verified evidence, and reports why there are none.
  func facts(of evidence: VerifiedEvidence) throws(SubscriptionFailure) -> PurchaseFacts {
    if case .failure(.facts(let reason)) = evidence.facts {
      subscriptions.report(.signedDataNotRecorded(reason))
    }
    return try SubscriptionService.facts(of: evidence)
  }

  /// Records evidence, and returns the subscription that expires last, as stored, and Apple's statement.
  func record(
    _ evidence: PurchaseEvidence, startingAt server: VerifyReceiptServer
  ) async throws -> (subscription: Subscription, statement: [UInt8]) {
    let verified = try await verified(evidence, startingAt: server)
    let recorded = try await subscriptions.record(facts(of: verified))
    return (try subscriptions.latest(of: recorded), verified.statement)
  }
}

extension RequestBody {
  /// Returns the text of a member, or nil if it is missing, null or blank.
  func value(_ field: RequestField) throws(RequestRefusal) -> String? {
    guard let text = try text(field.rawValue), !text.isBlank else { return nil }
    return text
  }

  /// Returns the text of a required member; throws ``RequestRefusal/missing(_:)`` if it is missing, null or blank.
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
