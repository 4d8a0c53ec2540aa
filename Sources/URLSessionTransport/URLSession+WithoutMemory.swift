internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLSession {
  /// The session of all transports, which remembers nothing.
  ///
  /// One for the process, never torn down: it holds no setting of anybody, and on Linux tearing down
  /// a session may crash (swiftlang/swift-corelibs-foundation#4791). More of them would not come
  /// between a busy exchange and the others: on Linux all sessions work on one queue.
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
    // Waiting for a connection would count as time of the exchange.
    configuration.httpMaximumConnectionsPerHost = 256
    return configuration
  }
}
