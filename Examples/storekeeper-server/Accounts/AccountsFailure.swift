import HTTPMessages

/// The reason why a directory of accounts has not answered a question; whether there is such an account
/// remains unknown.
///
/// No case holds an identifier, an address, or a part of an answer.
enum AccountsFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Too many questions were under way for the whole time limit.
  case busy
  /// There was no complete answer.
  case exchange(HTTPTransportFailure.Reason)
  /// The answer has a status other than 200 and 404.
  case status(HTTPStatusCode)
  /// The answer is no account.
  case unreadable
  /// The answer lacks an identifier that was asked for, or has another one.
  case otherAccount
  /// Nobody waits for the answer any more.
  case cancelled

  var description: String {
    switch self {
    case .busy: "busy"
    case .exchange(let reason): "\(reason)"
    case .status(let status): "status \(status)"
    case .unreadable: "unreadable"
    case .otherAccount: "other account"
    case .cancelled: "cancelled"
    }
  }
}
