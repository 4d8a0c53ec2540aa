internal import Dispatch
internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One request on its way and what has arrived of the answer.
///
/// It ends once: with what came first of answer, failure and cancellation. Whoever waits for that
/// never waits for URLSession, which on Linux does all work of the process on one queue: its task is
/// started and cancelled elsewhere, and not between lock and unlock.
final class Exchange: @unchecked Sendable {
  // Sendable because everything that changes is only touched between lock and unlock.
  private let lock = NSLock()
  private let responseLimit: Int
  private var head: HTTPURLResponse?
  private var body: [UInt8] = []
  private var continuation: CheckedContinuation<HTTPResponse, any Error>?
  private var task: URLSessionTask?
  private var isOver = false
  private var hasEnded = false

  init(responseLimit: Int) {
    self.responseLimit = responseLimit
  }

  /// Sends the request and lets a task wait for the end.
  func begin(_ message: URLRequest, _ continuation: CheckedContinuation<HTTPResponse, any Error>) {
    let isOver = lock.withLock {
      if !self.isOver { self.continuation = continuation }
      return self.isOver
    }
    guard !isOver else { return continuation.resume(throwing: CancellationError()) }
    Self.starts.async { self.start(message) }
  }

  /// Waits for the queue of URLSession, twice.
  private func start(_ message: URLRequest) {
    guard !lock.withLock({ isOver }) else { return }
    let task = URLSession.withoutMemory.dataTask(with: message)
    Exchanges.underWay.enter(self, for: task)
    task.resume()
    let isLate = lock.withLock {
      // Only now, so that it is never cancelled before it started, nor once it has ended.
      if !hasEnded { self.task = task }
      return isOver
    }
    if isLate { Self.stops.async { self.stop() } }
  }

  /// Ends it for whoever waits, and soon lets go of the connection.
  func cancel() {
    end(.failure(CancellationError()))
  }

  private func end(_ result: Result<HTTPResponse, any Error>) {
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

  /// Waits for the queue of URLSession, which may be calling this, and which a server can keep busy.
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

// MARK: What URLSession reports

extension Exchange {
  /// Takes the status and the fields.
  func receive(_ response: URLResponse) {
    lock.withLock { head = response as? HTTPURLResponse }
  }

  /// Takes a piece of the body; nothing is kept that is longer than accepted.
  func receive(_ data: Data) {
    let fits = lock.withLock {
      guard data.count <= responseLimit - body.count else { return false }
      if !isOver { body += data }
      return true
    }
    if !fits { end(.failure(HTTPTransportFailure(.responseTooLarge))) }
  }

  /// Ends it with what has arrived, while URLSession would go on.
  func answer(_ response: URLResponse?) {
    end(received(response))
  }

  /// Ends it with what has arrived, as URLSession has ended.
  func complete(_ response: URLResponse?) {
    finish(received(response))
  }

  /// Ends it as URLSession has ended.
  func finish(_ result: Result<HTTPResponse, any Error>) {
    lock.withLock {
      hasEnded = true
      task = nil
    }
    end(result)
  }

  /// What has arrived; the last word on status and fields is given if it is known.
  private func received(_ response: URLResponse?) -> Result<HTTPResponse, any Error> {
    let (known, body) = lock.withLock { (head, self.body) }
    guard let head = response as? HTTPURLResponse ?? known else {
      return .failure(HTTPTransportFailure(.interrupted))
    }
    return Result { try HTTPResponse(head, body: body) }
  }
}
