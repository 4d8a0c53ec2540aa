public import HTTPMessages
internal import StorekeeperCrypto
internal import Synchronization

/// An observer of answered requests, for logs, metrics and traces.
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
    // SplitMix64 from a random start: no number comes twice, and the kernel is not asked for each.
    var number = place.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    number ^= number >> 31
    return hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  private static let place = Atomic(UInt64.random(in: .min ... .max))

  /// Returns a host's ID as the value of a header field, or a random ID if it is not valid.
  static func sendable(_ text: String) -> String {
    let field = try? HTTPHeaders.Field(name: .requestID, value: text)
    guard let id = field?.value, !id.isEmpty else { return random() }
    return id
  }
}
