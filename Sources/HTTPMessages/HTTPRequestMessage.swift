/// A request to an HTTP server.
///
/// ```swift
/// let request = HTTPRequestMessage(
///   method: .post, url: "https://example.org/verify",
///   headers: [.contentType: "application/json"], body: Array(#"{"password":"…"}"#.utf8))
/// ```
///
/// The URL is not checked here; the ``HTTPTransport`` refuses one that it cannot use. The body and
/// the header values may be secret: ``description`` and the mirror show neither, nor user,
/// password, query and fragment of the URL.
public struct HTTPRequestMessage: Hashable, Sendable {
  public var method: HTTPRequestMethod
  /// The absolute URL, such as `https://example.org/path?query`.
  public var url: String
  /// The header fields, without those that the transport adds, such as the length of the body.
  public var headers: HTTPHeaders
  /// The body, or an empty array for none.
  public var body: [UInt8]
  /// The time limit for the whole exchange, or nil for the transport's default.
  public var timeout: Duration?
  /// The maximum size of the response body in bytes, or nil for the transport's default.
  public var responseLimit: Int?
  /// The name of the call that is made, such as `transactionInfo`, for figures and traces; nil if nobody named it.
  ///
  /// It is not sent.
  public var call: String?

  /// Creates a request for a URL.
  public init(
    method: HTTPRequestMethod = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    timeout: Duration? = nil, responseLimit: Int? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.responseLimit = responseLimit
  }
}

extension HTTPRequestMessage: CustomStringConvertible, CustomReflectable {
  /// The method, scheme, host and path, and the size of the body.
  public var description: String { "\(method) \(shownURL), \(body.count) bytes" }

  /// A mirror with the parts of ``description`` and the names of the header fields.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method, "url": shownURL, "headers": headers, "bodyCount": body.count,
        "timeout": timeout as Any, "responseLimit": responseLimit as Any,
      ])
  }

  /// The URL without user, password, query and fragment.
  private var shownURL: String {
    let shown = url.prefix { $0 != "?" && $0 != "#" }
    guard let scheme = shown.firstRange(of: "://") else { return String(shown) }
    let rest = shown[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(shown[..<scheme.upperBound]) + (host ?? authority) + rest[authority.endIndex...]
  }
}
