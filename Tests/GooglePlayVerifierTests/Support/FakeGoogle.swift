import HTTPMessages
import StorekeeperLocks

/// Google's servers in memory, which record requests and answer them by a script.
final class FakeGoogle: HTTPTransport {
  typealias Answer =
    @Sendable (_ request: HTTPRequestMessage, _ number: Int) async throws -> HTTPResponseMessage

  private let recorded = Locked<[HTTPRequestMessage]>([])
  private let answer: Answer

  /// Creates a server that answers each request, counted from 1.
  init(_ answer: @escaping Answer) { self.answer = answer }

  /// Creates a server that answers from a list, and with the last element again and again.
  convenience init(_ answers: [GoogleAnswer]) {
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
typealias GoogleAnswer = Result<HTTPResponseMessage, HTTPTransportFailure>

extension GoogleAnswer {
  /// An answer with a body.
  static func status(_ code: Int, _ body: String = "", _ headers: [HTTPHeaderName: String] = [:])
    -> Self
  {
    var fields = HTTPHeaders()
    for (name, value) in headers { try? fields.append(value, for: name) }
    return .success(
      HTTPResponseMessage(status: HTTPStatusCode(code), headers: fields, body: Array(body.utf8)))
  }

  /// An error in the form of Google's APIs.
  static func error(
    _ code: Int, _ reason: String, _ status: String = "",
    _ headers: [HTTPHeaderName: String] = [:]
  ) -> Self {
    let body =
      #"{"error":{"code":\#(code),"message":"A text.","status":"\#(status)","#
      + #""errors":[{"message":"A text.","domain":"global","reason":"\#(reason)"}]}}"#
    return .status(code, body, headers)
  }

  /// A failure of the transport.
  static func fails(_ reason: HTTPTransportFailure.Reason) -> Self {
    .failure(HTTPTransportFailure(reason))
  }
}

/// A door that is opened once.
final class Door: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Waits until the door is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Opens the door.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
