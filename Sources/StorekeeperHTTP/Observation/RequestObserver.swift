public import HTTPMessages
internal import Storekeeper
internal import StorekeeperCrypto

/// An observer of answered requests, for a log that has a line for each.
///
/// Figures and traces go to the ``/Storekeeper/Telemetry`` of the context.
public protocol RequestObserver: Sendable {
  /// Receives the report of a request before its answer is returned, so this method should not
  /// block.
  func observe(_ report: RequestReport)
}

/// An observer that discards every report.
public struct SilentObserver: RequestObserver {
  /// Creates an observer.
  public init() {}

  /// Discards a report.
  public func observe(_ report: RequestReport) {}
}

/// A report about an answered request.
///
/// It has no token, receipt or identifier of a user. The only exception is the error in
/// ``RequestOutcome/failed(_:)``, whose text comes from the host's store or authenticator.
public struct RequestReport: Sendable {
  /// The ID of the request, which the answer has as `X-Request-Id`.
  public let id: String
  public let method: HTTPRequestMethod
  public let route: String?
  /// The name of the caller, or nil if the caller was not authenticated.
  public let caller: String?
  public let status: HTTPStatusCode
  public let outcome: RequestOutcome
  /// The reason for a refusal or a failure where this package knows it, such as `notAuthentic, signatureInvalid` or
  /// `sharedSecretMismatch: the shared secret is wrong (21004)`.
  public let reason: String?
  public let duration: Duration
  public let requestBytes: Int
  public let responseBytes: Int
}

/// The outcome of a request.
@nonexhaustive
public enum RequestOutcome: Sendable {
  case succeeded
  /// The request was refused, with the field and code of the answer if it has them.
  case refused(field: String?, code: String?)
  /// The request was cancelled, for example because the server is about to stop; the client may
  /// retry.
  case cancelled
  /// The server had no memory for the body; the client may retry.
  case overloaded
  /// The request failed with an unexpected error, which is not revealed to the client.
  case failed(any Error)
}

/// A namespace for IDs of requests.
public enum RequestID {
  /// Returns 16 hexadecimal digits that no other request of the process has.
  ///
  /// They are no secret: from one ID, the next ones can be computed.
  @Sendable
  public static func random() -> String {
    let number = UniqueNumber.next()
    return hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  /// Returns a host's ID as the value of a header field, or a random ID if it is not valid.
  static func sendable(_ text: String) -> String {
    let field = try? HTTPHeaders.Field(name: .requestID, value: text)
    guard let id = field?.value, !id.isEmpty else { return random() }
    return id
  }
}
