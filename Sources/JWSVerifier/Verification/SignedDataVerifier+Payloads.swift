public import ReceiptModels

extension SignedDataVerifier {
  /// Verifies a transaction (`signedTransactionInfo`, or the JWS that a StoreKit 2 client sends).
  ///
  /// Environment and bundle ID are compared; a transaction does not name the app's Apple ID.
  public func transaction(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<Transaction> {
    try verified(token, as: Transaction.self)
  }

  /// Verifies renewal info (`signedRenewalInfo`).
  ///
  /// Only the environment is compared: renewal info names no app, so ``Verified/bundleID`` is nil.
  /// Rely on it only together with a transaction of the same original transaction ID.
  public func renewalInfo(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<RenewalInfo> {
    try verified(token, as: RenewalInfo.self)
  }

  /// Verifies an app transaction (`signedAppTransactionInfo`, or the JWS that a client sends).
  ///
  /// Environment (`receiptType`), bundle ID and, in Production, the Apple ID are compared. The
  /// device verification is *not* checked.
  public func appTransaction(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<AppTransaction> {
    try verified(token, as: AppTransaction.self)
  }

  /// Verifies a request for a retention message (`signedPayload` that Apple sends to the realtime
  /// URL).
  ///
  /// Environment and, in Production, the Apple ID are compared; the request names no bundle ID.
  public func realtimeRequest(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<RealtimeRequest> {
    try verified(token, as: RealtimeRequest.self)
  }

  /// Asks Apple whether a certificate behind verified data was revoked.
  ///
  /// This is a separate step because it waits for the network. It asks about the leaf and the
  /// intermediate of each chain, including those of signed data inside a notification, within one
  /// time budget. Without a checker in the configuration it asks nothing, and
  /// ``Verified/revocation`` stays ``RevocationStatus/notRequested``.
  ///
  /// - Returns: The same value with ``Verified/revocation`` filled in.
  /// - Throws: ``SignedDataFailure/certificateRevoked(_:)`` and
  ///   ``SignedDataFailure/certificateStatusUnknown(_:)``, which are final, and
  ///   ``SignedDataFailure/onlineCheckFailed(_:)``, which can be retried.
  public func checkingRevocation<Payload>(
    of verified: Verified<Payload>
  ) async throws(SignedDataFailure) -> Verified<Payload> {
    guard let revocationChecker else { return verified }
    let chains = [verified.chain] + verified.nestedChains
    return verified.with(revocation: try await revocationChecker.check(chains))
  }
}
