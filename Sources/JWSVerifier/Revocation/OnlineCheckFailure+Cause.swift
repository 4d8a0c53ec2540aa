internal import HTTPMessages
internal import StorekeeperCrypto

extension OnlineCheckFailure {
  /// What an error on the way means.
  init(_ error: any Error) {
    switch error {
    case let failure as OCSPAnswerFailure: self.init(failure)
    case let failure as HTTPTransportFailure: self.init(failure.reason)
    // Also when OpenSSL could not make the question, for want of memory.
    default: self = .transport
    }
  }

  private init(_ failure: OCSPAnswerFailure) {
    switch failure {
    case .malformed: self = .malformedAnswer
    case .declined(let status): self = .responderStatus(status)
    case .notAuthorized: self = .answerNotAuthorized
    case .otherCertificate: self = .otherCertificate
    case .otherNonce: self = .otherNonce
    case .stale: self = .staleAnswer
    }
  }

  private init(_ reason: HTTPTransportFailure.Reason) {
    switch reason {
    // The limits were ours.
    case .timedOut: self = .timeBudgetSpent
    case .responseTooLarge: self = .malformedAnswer
    default: self = .transport
    }
  }
}
