import HTTPMessages
import StorekeeperLocks

/// A transport in memory, which records requests and answers them by a script.
final class ScriptedTransport: HTTPTransport {
  typealias Answer =
    @Sendable (_ request: HTTPRequestMessage, _ number: Int) async throws -> HTTPResponseMessage

  private let recorded = Locked<[HTTPRequestMessage]>([])
  private let answer: Answer

  /// Creates a transport that answers each request, counted from 1.
  init(_ answer: @escaping Answer) { self.answer = answer }

  /// Creates a transport that answers from a list, and the last element again and again.
  convenience init(_ answers: [ScriptedAnswer]) {
    self.init { _, number in try answers[min(number, answers.count) - 1].get() }
  }

  /// The requests so far.
  var requests: [HTTPRequestMessage] { recorded.withLock { $0 } }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let number = recorded.withLock { requests in
      requests.append(request)
      return requests.count
    }
    return try await answer(request, number)
  }
}

/// An answer of a script.
typealias ScriptedAnswer = Result<HTTPResponseMessage, HTTPTransportFailure>

extension ScriptedAnswer {
  /// An answer with a body.
  static func status(_ code: Int, _ body: String = "", _ headers: HTTPHeaders = [:]) -> Self {
    .success(
      HTTPResponseMessage(status: HTTPStatusCode(code), headers: headers, body: Array(body.utf8)))
  }

  /// Apple's error with a code, whose first three digits are the status.
  static func code(_ code: Int, _ headers: HTTPHeaders = [:]) -> Self {
    .status(
      code / 10_000, #"{"errorCode":\#(code),"errorMessage":"Message of \#(code)."}"#, headers)
  }

  /// A failure of the transport.
  static func fails(_ reason: HTTPTransportFailure.Reason) -> Self {
    .failure(HTTPTransportFailure(reason))
  }
}
