internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLSession {
  /// The stateless session that all transports share.
  ///
  /// There is one for the process, which is never invalidated: it has no individual settings, and
  /// on Linux invalidating a session may crash (swiftlang/swift-corelibs-foundation#4791). More
  /// sessions would not isolate exchanges from each other, because on Linux all sessions use one
  /// queue.
  static let withoutMemory = URLSession(
    configuration: .withoutMemory, delegate: Exchanges.underWay, delegateQueue: .forReports)
}

extension URLSessionConfiguration {
  fileprivate static var withoutMemory: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    // Waiting for a connection would count toward the time limit of the exchange.
    configuration.httpMaximumConnectionsPerHost = 256
    return configuration
  }
}

extension OperationQueue {
  /// The queue on which URLSession calls its delegate, or nil for the session's own.
  static var forReports: OperationQueue? {
    #if canImport(FoundationNetworking)
      InlineQueue()
    #else
      nil
    #endif
  }
}

#if canImport(FoundationNetworking)
  /// A queue that runs each report immediately on the caller's thread.
  ///
  /// On an asynchronous queue, parts of a body pile up as fast as the server sends them, and a
  /// cancellation by the delegate waits behind them: gigabytes, despite a limit of a few bytes.
  /// Reports must not wait for URLSession, because they run on its queue.
  private final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Sendable because its superclass is and it adds no state.
    override func addOperation(_ report: @escaping @Sendable () -> Void) { report() }
  }
#endif
