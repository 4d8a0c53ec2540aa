/// A response of an HTTP server.
///
/// The body may contain personal data and header values may be secret: neither ``description`` nor
/// the mirror shows them.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code.
  public var status: HTTPStatusCode
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body, or an empty array for none.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: HTTPStatusCode, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
  /// The status and the size of the body.
  public var description: String { "\(status), \(body.count) bytes" }

  /// A mirror with the parts of ``description`` and the names of the header fields.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["status": status, "headers": headers, "bodyCount": body.count])
  }
}
