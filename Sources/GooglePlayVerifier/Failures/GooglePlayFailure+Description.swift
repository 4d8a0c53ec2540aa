internal import JSONValues

extension GooglePlayFailure: CustomStringConvertible {
  /// The name of the case with its codes, never a token or a message of Google.
  public var description: String {
    switch self {
    case .invalidCall(let fault): "not sent: \(fault)"
    case .accessToken(let failure): "no access token: \(failure)"
    case .invalidValue(let error): "invalid value (\(error))"
    case .packageNameMismatch(let error): "the purchase belongs to another app (\(error))"
    case .notFound(let error): "not found (\(error))"
    case .noLongerAvailable(let error): "no longer available (\(error))"
    case .unauthorized(let error): "the access token was refused twice (\(error))"
    case .permissionDenied(let error):
      "the service account lacks a permission in the Play Console (\(error))"
    case .projectNotLinked(let error):
      "the Google Cloud project is not linked to the Play Console (\(error))"
    case .accessNotConfigured(let error):
      "the API is not enabled in the Google Cloud project (\(error))"
    case .forbidden(let error): "forbidden (\(error))"
    case .quotaExceeded(let error, _): "too many requests (\(error))"
    case .backendError(let error, _): "Google failed (\(error))"
    case .unexpectedStatus(let error): "unexpected answer (\(error))"
    case .notJSON: "the answer is not JSON"
    case .malformedAnswer(let failure): "the answer is malformed: \(failure)"
    case .transport(let reason): "no complete answer: \(reason)"
    case .pagesRepeat: "a page names one that was read already"
    case .tooManyPages(let limit): "there are more than \(limit) pages"
    case .cancelled: "the task was cancelled"
    }
  }
}

extension AccessTokenFailure: CustomStringConvertible {
  /// The reason, never a token or a key.
  public var description: String {
    switch self {
    case .signing: "the request could not be signed"
    case .clockSkew(let skew):
      "our clock differs from Google's by \(skew.secondsRoundedUp) s"
    case .invalidGrant:
      "invalid_grant: the key or the account was deleted, or the clock is wrong"
    case .invalidScope: "invalid_scope"
    case .invalidClient: "invalid_client"
    case .refused(let status, let error): "status \(status)" + (error.map { ", \($0)" } ?? "")
    case .rateLimited: "too many requests"
    case .backendError(let status, _): "status \(status)"
    case .notJSON: "the answer is not JSON"
    case .malformedAnswer(let failure): "the answer is malformed: \(failure)"
    case .transport(let reason): "no complete answer: \(reason)"
    case .cancelled: "the task was cancelled"
    }
  }
}
