internal import JSONValues

/// A response of an HTTP server.
///
/// The body may contain personal data and header values may be secret: neither ``description`` nor
/// the mirror shows them.
public struct HTTPResponseMessage: Hashable, Sendable {
  public var status: HTTPStatusCode
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

extension HTTPResponseMessage: CustomStringConvertible, CustomReflectable {
  /// The status and the size of the body.
  public var description: String { "\(status), \(body.count) bytes" }

  /// A mirror with the parts of ``description`` and the names of the header fields.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["status": status, "headers": headers, "bodyCount": body.count])
  }
}

extension HTTPResponseMessage {
  /// Returns whether the head of a response announces a body above a size limit, which a transport refuses
  /// unread.
  ///
  /// A response without a body may still have the length of another one (RFC 9110 section 8.6), and the length
  /// of a coded body is not that of its content.
  package func announcesBody(largerThan limit: Int, to method: HTTPRequestMethod) -> Bool {
    guard method != .head, status != .noContent, status != 304,
      headers["Content-Encoding"] == nil, let text = headers[.contentLength],
      !text.isEmpty, text.utf8.areDigits
    else { return false }
    // Digits that are no number are too many.
    return Int(text).map { $0 > limit } ?? true
  }
}
