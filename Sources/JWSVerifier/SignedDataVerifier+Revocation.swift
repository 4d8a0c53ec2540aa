extension SignedDataVerifier {
  /// Asks Apple whether a certificate behind verified data was revoked.
  ///
  /// A step of its own, since it waits for the network while everything else only computes. Leaf and
  /// intermediate are asked about, also those of signed data inside a notification, with one time
  /// budget for all. Without a checker in the configuration nothing is asked, and
  /// ``Verified/revocation`` stays ``RevocationStatus/notRequested``.
  ///
  /// - Parameter verified: What this verifier returned.
  /// - Returns: The same with ``Verified/revocation`` filled in.
  /// - Throws: ``SignedDataFailure/certificateRevoked(_:)`` and
  ///   ``SignedDataFailure/certificateStatusUnknown(_:)``, which are final, and
  ///   ``SignedDataFailure/onlineCheckFailed(_:)``, which is worth another try.
  public func checkingRevocation<Payload>(
    of verified: Verified<Payload>
  ) async throws(SignedDataFailure) -> Verified<Payload> {
    guard let revocationChecker else { return verified }
    let chains = [verified.chain] + verified.nestedChains
    return verified.with(revocation: try await revocationChecker.check(chains))
  }
}
