public import Storekeeper

extension RetentionMessageFailure {
  /// The answer to Apple's server, which then shows the default message.
  ///
  /// Apple does not ask again, so the status serves the operator: 503 is a matter of time, 500 the
  /// host's answerer, 422 the configuration or the version of this server, 400 and 403 a stranger.
  public var answer: FailureAnswer {
    switch self {
    case .malformedBody: .malformedBody
    case .notAuthentic: FailureAnswer(status: 403, message: "Forbidden")
    case .notDecoded:
      .unprocessable("signedPayload", "invalid", "signed data is not understood")
    case .otherApp: .unprocessable("appAppleId", "invalid", "app mismatched")
    case .revocationUnknown, .timeUp, .cancelled: .unavailable
    case .answererFailed: FailureAnswer(status: 500, message: "Internal Server Error")
    }
  }
}
