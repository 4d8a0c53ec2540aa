public import HTTPMessages

/// Is told of every request once it is answered, for logs, metrics and traces.
public protocol RequestObserver: Sendable {
  /// Takes a report; called on the way to the answer, so it should not wait.
  func observe(_ report: RequestReport)
}

/// Hears nothing.
public struct SilentObserver: RequestObserver {
  /// An observer.
  public init() {}

  /// Does nothing.
  public func observe(_ report: RequestReport) {}
}

/// What became of a request.
///
/// No token, receipt or identifier of a user is in it, but for the error in
/// ``RequestOutcome/failed(_:)``, whose words are those of the host's store or authenticator.
public struct RequestReport: Sendable {
  /// The id that the answer carries as `X-Request-Id`.
  public let id: String
  /// What was asked.
  public let method: HTTPRequestMethod
  /// The route as a template, such as `/api/v1/apple/subs/{id}`; nil where there is none.
  public let route: String?
  /// Who asked; nil where nobody was recognised.
  public let caller: String?
  /// The status of the answer.
  public let status: HTTPStatusCode
  /// How it ended.
  public let outcome: RequestOutcome
  /// How long it took.
  public let duration: Duration
  /// How many bytes the body of the request has.
  public let requestBytes: Int
  /// How many bytes the body of the answer has.
  public let responseBytes: Int
}

/// How a request ended.
@nonexhaustive
public enum RequestOutcome: Sendable {
  /// It was done.
  case succeeded
  /// It was refused, by a rule with this field and code where there is one.
  case refused(field: String?, code: String?)
  /// It was given up, as when the server is about to stop; the client was told to come again.
  case cancelled
  /// There was no room for its body; the client was told to come again.
  case overloaded
  /// Something failed that should not; the client is told nothing of it.
  case failed(any Error)
}

/// Ids of requests.
public enum RequestID {
  /// 16 hexadecimal digits by chance.
  @Sendable
  public static func random() -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
