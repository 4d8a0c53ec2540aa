public import HTTPMessages
public import ReceiptModels

/// A transport that tells a port of every request: whom it asks, by which call, how that ends, and after how long.
///
/// ```swift
/// let appStore = try AppStoreServerClient(
///   key: key, issuerID: issuer, bundleID: bundleID, verifier: verifier,
///   transport: ObservedTransport(CurlHTTPTransport(), asking: .apple, telemetry: registry))
/// ```
///
/// Each attempt of a client is a call of its own. The call has the name that the client gives it
/// (``/HTTPMessages/HTTPRequestMessage/call``), otherwise `other`; no part of the URL is told. Without a port it is the
/// other transport.
///
/// The request carries the trace on in the field `traceparent` (W3C, Trace Context), which has two random numbers, unless
/// it has one already. A trace that is not kept here is carried on as the caller sent it, and not at all if it began here:
/// the flag of our own decision would have the other server keep nothing either.
public struct ObservedTransport: HTTPTransport {
  /// Whether requests carry the trace on; true by default.
  public var sendsTrace = true

  private let transport: any HTTPTransport
  private let vendor: Vendor?
  private let telemetry: (any Telemetry)?

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends.
  ///   - vendor: The vendor that is asked; nil for a server of the host's own.
  ///   - telemetry: The port that is told; nil to tell nobody.
  public init(
    _ transport: any HTTPTransport, asking vendor: Vendor?, telemetry: (any Telemetry)?
  ) {
    self.transport = transport
    self.vendor = vendor
    self.telemetry = telemetry
  }

  /// Sends a request with the other transport, and tells how it ended.
  ///
  /// - Throws: What the other transport throws.
  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    guard let telemetry else { return try await transport.send(request) }
    let watch = WorkWatch(.call(vendor, request.call ?? "other"), telemetry)
    var request = request
    if sendsTrace, request.headers[.traceparent] == nil,
      let field = watch.span.carriedTraceparent
    {
      // Digits and hyphens are a valid value, so `set` does not throw.
      try? request.headers.set(field, for: .traceparent)
    }
    do {
      let response = try await transport.send(request)
      watch.end(TelemetryVerdict(answered: response.status), .status(response.status))
      return response
    } catch {
      watch.end(TelemetryVerdict(notAnswered: error))
      throw error
    }
  }
}

extension HTTPHeaderName {
  /// The field that names a trace.
  ///
  /// Source: W3C, Trace Context, level 1, section 3.2.
  package static let traceparent: HTTPHeaderName = "traceparent"
}

extension TelemetryVerdict {
  fileprivate init(answered status: HTTPStatusCode) {
    switch status.code {
    case 429, 500...: self.init(.unavailable, "status")
    case 400...: self.init(.refused, "status")
    default: self.init(.succeeded)
    }
  }

  fileprivate init(notAnswered error: any Error) {
    switch error {
    case is CancellationError: self.init(.cancelled)
    case let failure as HTTPTransportFailure: self.init(.unavailable, "\(failure.reason)")
    default: self.init(.failed)
    }
  }
}
