public import HTTPMessages
internal import StorekeeperLocks

/// A transport in memory, which records requests and answers them by a script.
public final class ScriptedTransport: HTTPTransport {
  /// Answers a request, of which the first has the number 1.
  public typealias Answer =
    @Sendable (_ request: HTTPRequestMessage, _ number: Int) async throws -> HTTPResponseMessage

  private let recorded = Locked<[HTTPRequestMessage]>([])
  private let answer: Answer

  /// Creates a transport that answers by a closure.
  public init(_ answer: @escaping Answer) { self.answer = answer }

  /// Creates a transport that answers from a list, and the last element again and again.
  public convenience init(_ answers: [ScriptedAnswer]) {
    self.init { _, number in try answers[min(number, answers.count) - 1].get() }
  }

  /// Creates a transport with one answer to everything.
  public convenience init(_ status: HTTPStatusCode, _ body: String = "") {
    self.init([.status(status.code, body)])
  }

  /// The requests so far.
  public var requests: [HTTPRequestMessage] { recorded.withLock { $0 } }

  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let number = recorded.withLock { requests in
      requests.append(request)
      return requests.count
    }
    return try await answer(request, number)
  }
}

/// An answer of a script.
public typealias ScriptedAnswer = Result<HTTPResponseMessage, HTTPTransportFailure>

extension ScriptedAnswer {
  /// An answer with a body.
  public static func status(_ code: Int, _ body: String = "", _ headers: HTTPHeaders = [:]) -> Self
  {
    .success(
      HTTPResponseMessage(status: HTTPStatusCode(code), headers: headers, body: Array(body.utf8)))
  }

  /// A failure of the transport.
  public static func fails(_ reason: HTTPTransportFailure.Reason) -> Self {
    .failure(HTTPTransportFailure(reason))
  }
}
