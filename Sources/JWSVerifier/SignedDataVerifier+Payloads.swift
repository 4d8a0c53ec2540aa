public import ReceiptModels

extension SignedDataVerifier {
  /// Verifies a transaction (`signedTransactionInfo`, or what a StoreKit 2 client sends).
  ///
  /// Environment and bundle id are compared; a transaction names no Apple id of the app.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: The transaction, with what is proven of it.
  /// - Throws: ``SignedDataFailure``.
  public func transaction(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<Transaction> {
    try verified(token, as: Transaction.self)
  }

  /// Verifies a renewal info (`signedRenewalInfo`).
  ///
  /// Only the environment is compared: renewal info names no app, so ``Verified/bundleID`` is nil.
  /// Rely on it only together with a transaction of the same original transaction id.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: The renewal info, with what is proven of it.
  /// - Throws: ``SignedDataFailure``.
  public func renewalInfo(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<RenewalInfo> {
    try verified(token, as: RenewalInfo.self)
  }

  /// Verifies an app transaction (`signedAppTransactionInfo`, or what a client sends).
  ///
  /// Environment (`receiptType`), bundle id and, in Production, the Apple id are compared. The
  /// device verification is *not* checked.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: The app transaction, with what is proven of it.
  /// - Throws: ``SignedDataFailure``.
  public func appTransaction(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<AppTransaction> {
    try verified(token, as: AppTransaction.self)
  }

  /// Verifies a request for a retention message (`signedPayload` that Apple sends to the realtime
  /// URL).
  ///
  /// Environment and, in Production, the Apple id are compared; the request names no bundle id.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: The request, with what is proven of it.
  /// - Throws: ``SignedDataFailure``.
  public func realtimeRequest(
    _ token: String
  ) throws(SignedDataFailure) -> Verified<RealtimeRequest> {
    try verified(token, as: RealtimeRequest.self)
  }
}
