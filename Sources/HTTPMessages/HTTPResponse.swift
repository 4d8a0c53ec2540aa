/// What an HTTP server answered, as a value.
///
/// The body may hold personal data and header values may be secrets: neither ``description`` nor the
/// mirror shows them.
public struct HTTPResponse: Hashable, Sendable {
  /// What the server says of the request.
  public var status: HTTPStatusCode
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body, empty when there is none.
  public var body: [UInt8]

  /// An answer.
  public init(status: HTTPStatusCode, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
  /// The status and how long the body is.
  public var description: String { "\(status), \(body.count) bytes" }

  /// What ``description`` shows, and the names of the header fields.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["status": status, "headers": headers, "bodyCount": body.count])
  }
}
