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
  case missingKeyID
  /// Google has no key with this ID, as far as we know.
  case unknownKey
  /// Google's keys are not there.
  case keysUnavailable(KeySetFailure)
  case invalidSignature
  /// A claim is missing or has the wrong type.
  case malformedClaim(FieldTypeFailure)
  case wrongIssuer
  case wrongAudience
  /// The token is of another service account. Anyone can get a token of Google for any audience.
  case wrongEmail
  case emailNotVerified
  case expired
  case issuedInFuture
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
  case status(HTTPStatusCode)
  case transport(HTTPTransportFailure.Reason)
  /// The answer is larger than the limit in bytes.
  case tooLarge(limit: Int)
  case notJSON
  case malformed(FieldTypeFailure)
  /// No key is one for RS256.
  case noUsableKey
  /// The keys were asked for a moment ago, in vain.
  case askedRecently
}
