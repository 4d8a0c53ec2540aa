internal import Dispatch
internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A request under way, with the received part of the response.
///
/// An exchange ends once, with a response, a failure or a cancellation, whichever comes first. The
/// waiting task never waits for URLSession, which on Linux does all work of the process on one
/// queue. So the session's task is started and cancelled on other queues, and never under the lock.
final class Exchange: @unchecked Sendable {
  // Sendable because all mutable state is accessed only under the lock.
  private let lock = NSLock()
  private let method: HTTPRequestMethod
  private let responseLimit: Int
  private var head: HTTPURLResponse?
  private var body: [UInt8] = []
  private var continuation: CheckedContinuation<HTTPResponseMessage, any Error>?
  private var task: URLSessionTask?
  private var isOver = false
  private var hasEnded = false

  init(method: HTTPRequestMethod, responseLimit: Int) {
    self.method = method
    self.responseLimit = responseLimit
  }

  /// Sends the request and lets a task wait for the end.
  func begin(
    _ message: URLRequest, _ continuation: CheckedContinuation<HTTPResponseMessage, any Error>
  ) {
    let isOver = lock.withLock {
      if !self.isOver { self.continuation = continuation }
      return self.isOver
    }
    guard !isOver else { return continuation.resume(throwing: CancellationError()) }
    Self.starts.async { self.start(message) }
  }

  /// Starts the session's task, which waits twice for the queue of URLSession.
  private func start(_ message: URLRequest) {
    guard !lock.withLock({ isOver }) else { return }
    let task = URLSession.withoutMemory.dataTask(with: message)
    Exchanges.underWay.enter(self, for: task)
    task.resume()
    let isLate = lock.withLock {
      // Not earlier, so that the task is never cancelled before it started or after it has ended.
      if !hasEnded { self.task = task }
      return isOver
    }
    if isLate { Self.stops.async { self.stop() } }
  }

  /// Ends the exchange with a cancellation, and soon releases the connection.
  func cancel() {
    end(.failure(CancellationError()))
  }

  private func end(_ result: Result<HTTPResponseMessage, any Error>) {
    let continuation = lock.withLock {
      isOver = true
      body = []
      defer { self.continuation = nil }
      return self.continuation
    }
    guard let continuation else { return }
    continuation.resume(with: result)
    Self.stops.async { self.stop() }
  }

  /// Cancels the session's task.
  ///
  /// This waits for the queue of URLSession, which a server can keep busy, and which may be the
  /// caller's.
  private func stop() {
    let task = lock.withLock {
      defer { self.task = nil }
      return self.task
    }
    task?.cancel()
  }

  private static let starts = DispatchQueue(label: "URLSessionHTTPTransport.starts")
  private static let stops = DispatchQueue(label: "URLSessionHTTPTransport.stops")
}

// MARK: Reports of URLSession

extension Exchange {
  /// Receives the status and the fields, and refuses a body that is announced as too large.
  func receive(_ response: URLResponse) {
    let head = response as? HTTPURLResponse
    lock.withLock { self.head = head }
    guard let head = head.flatMap({ try? HTTPResponseMessage($0, body: []) }),
      head.announcesBody(largerThan: responseLimit, to: method)
    else { return }
    end(.failure(HTTPTransportFailure(.responseTooLarge, response: head)))
  }

  /// Receives a part of the body, within the size limit.
  func receive(_ data: Data) {
    let fits = lock.withLock {
      guard data.count <= responseLimit - body.count else { return false }
      if !isOver { body += data }
      return true
    }
    guard !fits else { return }
    end(.failure(HTTPTransportFailure(.responseTooLarge, response: receivedHead)))
  }

  /// The status and the fields, if they have arrived.
  var receivedHead: HTTPResponseMessage? {
    lock.withLock { head }.flatMap { try? HTTPResponseMessage($0, body: []) }
  }

  /// Ends the exchange with the received response, although URLSession would go on.
  func answer(_ response: URLResponse?) {
    end(received(response))
  }

  /// Ends the exchange with the received response after the end of the session's task.
  func complete(_ response: URLResponse?) {
    finish(received(response))
  }

  /// Ends the exchange with a result after the end of the session's task.
  func finish(_ result: Result<HTTPResponseMessage, any Error>) {
    lock.withLock {
      hasEnded = true
      task = nil
    }
    end(result)
  }

  /// Returns the received response, with the given status and fields, if any.
  private func received(_ response: URLResponse?) -> Result<HTTPResponseMessage, any Error> {
    let (known, body) = lock.withLock { (head, self.body) }
    guard let head = response as? HTTPURLResponse ?? known else {
      return .failure(HTTPTransportFailure(.interrupted))
    }
    return Result { try HTTPResponseMessage(head, body: body) }
  }
}

extension HTTPResponseMessage {
  /// Creates a response, with its fields sorted by name because URLSession does not keep their
  /// order.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` with `interrupted` for a malformed field.
  init(_ head: HTTPURLResponse, body: [UInt8]) throws(HTTPTransportFailure) {
    var headers = HTTPHeaders()
    let fields = head.allHeaderFields.compactMap { name, value -> (String, String)? in
      guard let name = name as? String else { return nil }
      return (name, "\(value)")
    }
    do throws(HTTPSyntaxFailure) {
      for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
        try headers.append(value, for: HTTPHeaderName(name))
      }
    } catch {
      throw HTTPTransportFailure(.interrupted, cause: error)
    }
    self.init(status: HTTPStatusCode(head.statusCode), headers: headers, body: body)
  }
}
