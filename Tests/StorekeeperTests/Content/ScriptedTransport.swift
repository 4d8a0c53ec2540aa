import HTTPMessages
import StorekeeperLocks

/// A transport with answers for each address, given one after the other; the last one is repeated.
final class ScriptedTransport: HTTPTransport {
  typealias Answer = @Sendable (HTTPRequestMessage) async throws -> HTTPResponseMessage

  private struct State {
    var answers: [String: [Answer]] = [:]
    var requests: [HTTPRequestMessage] = []
  }

  private let state = Locked(State())

  /// Adds answers for an address.
  func add(_ url: String, _ answers: Answer...) {
    state.withLock { $0.answers[url, default: []] += answers }
  }

  /// Gives answers for an address instead of those before.
  func replace(_ url: String, _ answers: Answer...) {
    state.withLock { $0.answers[url] = answers }
  }

  /// The addresses of the requests, in order.
  var urls: [String] { state.withLock { $0.requests.map(\.url) } }

  /// The requests, in order.
  var requests: [HTTPRequestMessage] { state.withLock { $0.requests } }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let answer: Answer? = state.withLock { state in
      state.requests.append(request)
      let answers = state.answers[request.url] ?? []
      if answers.count > 1 { state.answers[request.url]?.removeFirst() }
      return answers.first
    }
    guard let answer else { throw HTTPTransportFailure(.invalidRequest) }
    return try await answer(request)
  }

  /// An answer with a body.
  static func body(_ text: String, length: Int? = nil) -> Answer {
    { _ in
      var response = HTTPResponseMessage(status: .ok, body: Array(text.utf8))
      if let length { try response.headers.set(String(length), for: .contentLength) }
      return response
    }
  }

  /// An answer without a body.
  static func status(_ code: Int, location: String? = nil) -> Answer {
    { _ in
      var response = HTTPResponseMessage(status: HTTPStatusCode(code))
      if let location { try response.headers.set(location, for: .location) }
      return response
    }
  }

  /// An answer whose body is larger than the request allows.
  static func tooLarge(_ code: Int, location: String? = nil) -> Answer {
    let head = status(code, location: location)
    return { throw HTTPTransportFailure(.responseTooLarge, response: try await head($0)) }
  }

  /// No answer.
  static func failure(_ reason: HTTPTransportFailure.Reason) -> Answer {
    { _ in throw HTTPTransportFailure(reason) }
  }
}
