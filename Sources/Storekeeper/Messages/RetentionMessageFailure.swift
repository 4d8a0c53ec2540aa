public import JWSVerifier

/// The reason that a request for a retention message has no answer.
///
/// Apple shows its default message in all of these cases.
@nonexhaustive
public enum RetentionMessageFailure: Error, Sendable {
  /// The body is not a JSON object with a string `signedPayload`.
  case malformedBody
  /// The signature is invalid, a certificate was revoked, or the environment is not accepted.
  case notAuthentic(SignedDataFailure)
  /// The request is authentic, but does not fit the models of this version.
  ///
  /// The path of the field is ``/JWSVerifier/SignedDataFailure/undecodedPath``.
  case notDecoded(SignedDataFailure)
  /// The request is authentic, but belongs to another app (Production).
  case otherApp(SignedDataFailure)
  /// The revocation status of a certificate is unknown, because Apple could not be reached.
  case revocationUnknown(SignedDataFailure)
  /// The time was up before there was an answer; the value is the time taken.
  case timeUp(after: Duration)
  /// The host's answerer failed with this error.
  case answererFailed(any Error)
  /// The calling task was cancelled, for example because the server is about to stop.
  case cancelled
}

extension RetentionMessageFailure {
  /// Creates the failure for a request that the verifier refused.
  init(_ failure: SignedDataFailure) {
    switch failure {
    case .bundleMismatch, .appAppleIdMismatch: self = .otherApp(failure)
    case .onlineCheckFailed: self = .revocationUnknown(failure)
    default: self = failure.isUndecoded ? .notDecoded(failure) : .notAuthentic(failure)
    }
  }
}
