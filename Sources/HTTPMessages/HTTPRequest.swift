/// A request to an HTTP server, as a value.
///
/// ```swift
/// let request = HTTPRequest(
///   method: .post, url: "https://example.org/verify",
///   headers: [.contentType: "application/json"], body: Array(#"{"password":"…"}"#.utf8))
/// ```
///
/// The address is a text and is not looked at here; the ``HTTPTransport`` refuses one that it cannot
/// use. Body and header values may be secrets: ``description`` and the mirror show neither, nor what
/// stands in the address before the host or behind the path.
public struct HTTPRequest: Hashable, Sendable {
  /// What is asked.
  public var method: HTTPRequestMethod
  /// The absolute address, such as `https://example.org/path?query`.
  public var url: String
  /// The header fields; the transport adds what it alone can know, such as the length of the body.
  public var headers: HTTPHeaders
  /// The body, empty when there is none.
  public var body: [UInt8]
  /// How long the whole exchange may take, or nil for what the transport thinks right.
  public var timeout: Duration?
  /// How many bytes the body of the response may have, or nil for what the transport thinks right.
  public var responseLimit: Int?

  /// A request for an address.
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

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// The method, scheme, host and path, and how long the body is.
  public var description: String { "\(method) \(shownURL), \(body.count) bytes" }

  /// What ``description`` shows, and the names of the header fields.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method, "url": shownURL, "headers": headers, "bodyCount": body.count,
        "timeout": timeout as Any, "responseLimit": responseLimit as Any,
      ])
  }

  /// The address without user, password, query and fragment.
  private var shownURL: String {
    let shown = url.prefix { $0 != "?" && $0 != "#" }
    guard let scheme = shown.firstRange(of: "://") else { return String(shown) }
    let rest = shown[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(shown[..<scheme.upperBound]) + (host ?? authority) + rest[authority.endIndex...]
  }
}
