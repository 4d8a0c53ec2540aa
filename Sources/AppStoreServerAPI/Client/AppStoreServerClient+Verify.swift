internal import JSONValues
internal import JWSVerifier
internal import ReceiptModels

extension AppStoreServerClient {
  /// Verifies a signed member of an answer.
  func verified<Payload>(
    _ token: String?, _ member: String, as kind: SignedDataKind<Payload>, in answer: ServerAnswer
  ) async throws(AppStoreServerFailure) -> Verified<Payload> {
    let token = try answer.required(token, member, .string)
    switch try await judge(verifier.result(of: token, as: kind), member, in: answer) {
    case .success(let verified): return verified
    case .failure(let failure):
      throw answer.failure(.notVerified(member: member, failure))
    }
  }

  /// Verifies a list of signed transactions, of which a bad one doesn't affect the others.
  func verified(
    _ tokens: [String], in answer: ServerAnswer
  ) async throws(AppStoreServerFailure) -> ([Verified<Transaction>], [RefusedElement]) {
    let results =
      configuration.verifiesInParallel
      ? verifier.verify(tokens)
      : tokens.map { verifier.result(of: $0, as: .transaction) }
    var transactions: [Verified<Transaction>] = []
    transactions.reserveCapacity(results.count)
    var refused: [RefusedElement] = []
    for (index, result) in results.enumerated() {
      switch try await judge(result, "signedTransactions[\(index)]", in: answer) {
      case .success(let verified): transactions.append(verified)
      case .failure(let failure): refused.append(RefusedElement(index: index, failure: failure))
      }
    }
    return (transactions, refused)
  }

  /// Checks the app and the environment of signed data, and the certificates with Apple if the
  /// verifier is configured to.
  ///
  /// - Returns: The data, or the reason that it was refused alone.
  /// - Throws: ``AppStoreServerFailure`` if the data is of another app or environment, so that the
  ///   whole answer is wrong, or if the certificates could not be checked.
  func judge<Payload>(
    _ result: Result<Verified<Payload>, SignedDataFailure>, _ member: String,
    in answer: ServerAnswer
  ) async throws(AppStoreServerFailure) -> Result<Verified<Payload>, SignedDataFailure> {
    let verified: Verified<Payload>
    switch result {
    case .success(let value): verified = value
    case .failure(.bundleMismatch), .failure(.appAppleIdMismatch):
      throw answer.failure(.otherApp)
    case .failure(.environmentNotAllowed(let environment)):
      throw answer.failure(.otherEnvironment(environment))
    case .failure(.environmentUnknown(let text)):
      throw answer.failure(.otherEnvironment(AppStoreEnvironment(rawValue: text)))
    case .failure(let failure): return .failure(failure)
    }
    guard verified.environment == answer.environment else {
      throw answer.failure(.otherEnvironment(verified.environment))
    }
    if let found = verified.bundleID, !found.isSameText(as: bundleID) {
      throw answer.failure(.otherApp)
    }
    guard verifier.checksRevocation else { return .success(verified) }
    do throws(SignedDataFailure) {
      return .success(try await verifier.checkingRevocation(of: verified))
    } catch {
      guard error.isRetryable else { return .failure(error) }
      var failure = answer.failure(.notVerified(member: member, error))
      failure.retry = .afterBackOff
      throw failure
    }
  }

  /// Checks the unsigned members beside signed data, which must not contradict it.
  func check(
    environment: AppStoreEnvironment?, bundleID found: String?, appAppleID: Int?,
    in answer: ServerAnswer
  ) throws(AppStoreServerFailure) {
    if let environment, environment != answer.environment {
      throw answer.failure(.otherEnvironment(environment))
    }
    if let found, !found.isSameText(as: bundleID) { throw answer.failure(.otherApp) }
    guard answer.environment == .production, let appAppleID else { return }
    let app = verifier.apps.first { $0.bundleID.isSameText(as: bundleID) }
    if let known = app?.appAppleID, known != appAppleID { throw answer.failure(.otherApp) }
  }
}

extension Verified<RenewalInfo> {
  /// Whether this belongs to the subscription of a transaction, which both have to name.
  func isOfSubscription(of transaction: Verified<Transaction>) -> Bool {
    guard let id = payload.originalTransactionID else { return false }
    return id == transaction.payload.originalTransactionID
  }
}
