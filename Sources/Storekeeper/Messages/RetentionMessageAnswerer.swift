public import JWSVerifier
public import ReceiptModels

/// An answerer of Apple's realtime requests: the host's choice of what a customer sees who is about
/// to cancel a subscription.
///
/// ```swift
/// struct WinBack: RetentionMessageAnswerer {
///   func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse? {
///     guard request.payload.productID == "reader.yearly" else { return nil }
///     return .alternateProduct(messageIdentifier: stayMonthly, productID: "reader.monthly")
///   }
/// }
/// ```
///
/// Apple waits 700 milliseconds in all, so look up what is at hand and compute the rest beforehand.
public protocol RetentionMessageAnswerer: Sendable {
  /// Returns the answer to a verified request, or nil for Apple's default message, which Apple also shows after an
  /// error.
  ///
  /// The method is called at most once for each request that arrives, but Apple may ask again about the same
  /// customer, and any number of calls may run at once. The calling task is cancelled when the time is up; an answer
  /// that comes later is discarded. A request from Production belongs to one of the verifier's apps. A request from
  /// the Sandbox may belong to any app, because Apple's number is compared in Production only.
  func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse?
}

/// The answer to a request for a retention message, with the time it took.
public struct RetentionMessageAnswer: Hashable, Sendable {
  /// The response for Apple, or nil for Apple's default message.
  public let response: RealtimeResponse?
  /// The time from the call of the service to the answer.
  public let duration: Duration
}

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
  init(_ failure: SignedDataFailure) {
    switch failure {
    case .bundleMismatch, .appAppleIdMismatch: self = .otherApp(failure)
    case .onlineCheckFailed: self = .revocationUnknown(failure)
    default: self = failure.isUndecoded ? .notDecoded(failure) : .notAuthentic(failure)
    }
  }
}
