internal import HTTPMessages

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GooglePlayFailure {
  /// A kind of failure, by what it says about the purchase and by who can mend it.
  ///
  /// Source: Google Play rules, section 8.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Google does not know such a purchase in this app (400, 404), or the token cannot be one.
    ///
    /// For a token that was good before, suspect the name of the app rather than the token.
    case invalid
    /// The purchase is over for good (410).
    case gone
    /// Google refuses our credentials or permissions (401, 403); an operator has to act.
    case credentials
    case limited
    case backend
    /// There was no connection, or no answer in time.
    case transport
    case unreadable
    case cancelled
  }

  public var kind: Kind {
    switch self {
    case .invalidCall, .invalidValue, .packageNameMismatch, .notFound: .invalid
    case .noLongerAvailable: .gone
    case .unauthorized, .permissionDenied, .projectNotLinked, .accessNotConfigured, .forbidden:
      .credentials
    case .quotaExceeded: .limited
    case .backendError: .backend
    case .transport(let reason): Kind(reason)
    case .unexpectedStatus, .notJSON, .malformedAnswer, .pagesRepeat, .tooManyPages: .unreadable
    case .cancelled: .cancelled
    case .accessToken(let failure): Kind(failure)
    }
  }

  /// Whether the failure says nothing about the purchase, so that what is stored stays as it is.
  ///
  /// For a token that was good before, treat ``Kind/invalid`` alike.
  public var isIncidental: Bool {
    switch kind {
    case .invalid, .gone: false
    case .credentials, .limited, .backend, .transport, .unreadable, .cancelled: true
    }
  }

  /// Whether Google may have done what the call asked for, although it failed.
  ///
  /// After a refusal it has not, and neither without a connection. Where it may have, read how it stands before
  /// a refund, a revocation, a deferral or a report is sent again.
  public var mayHaveActed: Bool {
    switch self {
    case .invalidCall, .accessToken, .invalidValue, .packageNameMismatch, .notFound,
      .noLongerAvailable, .unauthorized, .permissionDenied, .projectNotLinked,
      .accessNotConfigured, .forbidden, .quotaExceeded:
      false
    case .unexpectedStatus(let error): !(400...499).contains(error.status.code)
    case .backendError, .notJSON, .malformedAnswer, .pagesRepeat, .tooManyPages, .cancelled: true
    case .transport(.invalidRequest), .transport(.notConnected), .transport(.untrustedPeer): false
    case .transport(.interrupted), .transport(.timedOut), .transport(.responseTooLarge): true
    }
  }

  /// The date from which another call may succeed, if Google named one.
  public var retryAfter: Date? {
    switch self {
    case .quotaExceeded(_, let date), .backendError(_, let date): date
    case .accessToken(.rateLimited(let date)), .accessToken(.backendError(_, let date)): date
    default: nil
    }
  }

  /// Google's answer, if it was one with a status of failure.
  public var error: GoogleError? {
    switch self {
    case .invalidValue(let error), .packageNameMismatch(let error), .notFound(let error),
      .noLongerAvailable(let error), .unauthorized(let error), .permissionDenied(let error),
      .projectNotLinked(let error), .accessNotConfigured(let error), .forbidden(let error),
      .quotaExceeded(let error, _), .backendError(let error, _), .unexpectedStatus(let error):
      error
    case .invalidCall, .accessToken, .notJSON, .malformedAnswer, .transport, .pagesRepeat,
      .tooManyPages, .cancelled:
      nil
    }
  }
}

extension GooglePlayFailure.Kind {
  fileprivate init(_ reason: HTTPTransportFailure.Reason) {
    self = reason == .responseTooLarge ? .unreadable : .transport
  }

  fileprivate init(_ failure: AccessTokenFailure) {
    switch failure {
    case .signing, .clockSkew, .invalidGrant, .invalidScope, .invalidClient, .refused:
      self = .credentials
    case .rateLimited: self = .limited
    case .backendError: self = .backend
    case .notJSON, .malformedAnswer: self = .unreadable
    case .transport(let reason): self.init(reason)
    case .cancelled: self = .cancelled
    }
  }
}
