public import HTTPMessages
public import JSONValues

/// A reason why a request is not one of our push subscription.
@nonexhaustive
public enum PushTokenFailure: Error, Hashable, Sendable {
  /// There is no field `Authorization` with a bearer token.
  case missing
  /// The token is longer than the limit in bytes.
  case tooLarge(limit: Int)
  /// The token does not consist of three segments in base64url, the first two with a JSON object.
  case malformed
  /// The header names another algorithm than RS256, or none.
  case unsupportedAlgorithm
  /// The header has an extension that must be understood.
  case criticalHeader
  /// The header has no ID of a key.
  case missingKeyID
  /// Google has no key with this ID, as far as we know.
  case unknownKey
  /// Google's keys are not there.
  case keysUnavailable(KeySetFailure)
  /// The signature is not Google's.
  case invalidSignature
  /// A claim is missing or has the wrong type.
  case malformedClaim(FieldTypeFailure)
  /// The token has another issuer.
  case wrongIssuer
  /// The token is for another audience.
  case wrongAudience
  /// The token is of another service account. Anyone can get a token of Google for any audience.
  case wrongEmail
  /// Google did not verify the e-mail address.
  case emailNotVerified
  /// The token has expired.
  case expired
  /// The token was issued in the future.
  case issuedInFuture
  /// The task was cancelled.
  case cancelled
  /// The host accepts no pushes.
  case notAccepted

  /// Whether the failure says nothing about the request, so that it should be answered with 503.
  public var isIncidental: Bool {
    switch self {
    case .keysUnavailable, .cancelled: true
    default: false
    }
  }
}

/// A reason why Google's keys are not there.
@nonexhaustive
public enum KeySetFailure: Error, Hashable, Sendable {
  /// The answer has this status.
  case status(HTTPStatusCode)
  /// There was no complete answer.
  case transport(HTTPTransportFailure.Reason)
  /// The answer is larger than the limit in bytes.
  case tooLarge(limit: Int)
  /// The answer is not JSON.
  case notJSON
  /// The answer has no list of keys.
  case malformed(FieldTypeFailure)
  /// No key is one for RS256.
  case noUsableKey
  /// The keys were asked for a moment ago, in vain.
  case askedRecently
}
