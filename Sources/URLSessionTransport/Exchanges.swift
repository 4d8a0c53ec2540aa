internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The exchanges under way, as the delegate that passes them the reports of URLSession.
final class Exchanges: NSObject, @unchecked Sendable {
  // Sendable because the dictionary is accessed only under the lock.

  /// The exchanges of the shared session.
  static let underWay = Exchanges()

  private let lock = NSLock()
  private var exchanges: [Int: Exchange] = [:]

  /// Adds an exchange.
  func enter(_ exchange: Exchange, for task: URLSessionTask) {
    lock.withLock { exchanges[task.taskIdentifier] = exchange }
  }

  private func leave(_ task: URLSessionTask) -> Exchange? {
    lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    lock.withLock { exchanges[task.taskIdentifier] }
  }
}

extension Exchanges: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(of: dataTask)?.receive(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(of: dataTask) else { return }
    exchange.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // A redirect is a response: the caller chose the server.
    exchange(of: task)?.receive(response)
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux the response is complete by now. Each disposition would leave the task without
      // end, or wait for the queue on which this runs.
      exchange(of: task)?.answer(challenge.failureResponse)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let exchange = leave(task) else { return }
    if let error {
      exchange.finish(
        .failure(HTTPTransportFailure(sessionError: error, response: exchange.receivedHead)))
    } else {
      exchange.complete(task.response)
    }
  }
}
