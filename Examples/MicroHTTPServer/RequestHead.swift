internal import CStorekeeperMicroHTTPD
internal import HTTPMessages

/// The checked head of a request.
///
/// libmicrohttpd accepts much that is malformed. A head that two servers could read in two ways is
/// refused (RFC 9112 sections 6.1 and 6.3).
struct RequestHead: Sendable {
  let method: HTTPRequestMethod
  let target: String
  let headers: HTTPHeaders

  init(
    method: String?, target: String?, version: String?, fields: HeaderFields, limit: Int
  ) throws(RequestRefusal) {
    guard fields.byteCount <= limit else { throw .headersTooLarge }
    guard let method, let target, Self.isTarget(target), fields.areWellFormed,
      let method = try? HTTPRequestMethod(method)
    else { throw .malformed }
    self.method = method
    self.target = target
    headers = fields.headers
    guard hasOneLength, hasHost(version), hasCoding(version) else { throw .malformed }
  }

  /// The declared length of the body in bytes, if any.
  var declaredLength: Int? { headers[.contentLength].flatMap { Int($0) } }

  /// Whether a body may follow.
  var hasBody: Bool {
    headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
  }

  /// Whether the client waits for permission to send the body.
  var isWaiting: Bool { headers[.expect]?.lowercased() == "100-continue" }

  /// Whether the end of the body is declared in one way only.
  private var hasOneLength: Bool {
    let lengths = headers.values(for: .contentLength)
    let codings = headers.values(for: .transferEncoding)
    guard let coding = codings.first else { return lengths.allSatisfy { $0 == lengths[0] } }
    return codings.count == 1 && coding.lowercased() == "chunked" && lengths.isEmpty
  }

  /// Whether there is exactly one Host; before version 1.1 it may be missing (RFC 9112 section
  /// 3.2).
  private func hasHost(_ version: String?) -> Bool {
    let count = headers.values(for: .host).count
    return count == 1 || count == 0 && version == "HTTP/1.0"
  }

  /// Whether the version allows a transfer coding, which came with 1.1 (RFC 9112 section 6.1).
  private func hasCoding(_ version: String?) -> Bool {
    version != "HTTP/1.0" || headers[.transferEncoding] == nil
  }

  /// Whether a target consists of visible ASCII characters only (RFC 9112 section 3.2).
  private static func isTarget(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension HTTPHeaderName {
  fileprivate static let expect: HTTPHeaderName = "Expect"
  fileprivate static let host: HTTPHeaderName = "Host"
  fileprivate static let transferEncoding: HTTPHeaderName = "Transfer-Encoding"
}

/// The header fields of a request, in order.
struct HeaderFields {
  private(set) var headers = HTTPHeaders()
  /// The total length of names and values.
  private(set) var byteCount = 0
  /// Whether all of them are fields in UTF-8.
  private(set) var areWellFormed = true

  init(of connection: OpaquePointer) {
    unsafe withUnsafeMutablePointer(to: &self) { fields in
      _ = unsafe MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { fields, _, name, nameCount, value, valueCount in
          guard let fields = unsafe fields?.assumingMemoryBound(to: HeaderFields.self) else {
            return .NO
          }
          unsafe fields.pointee.append(
            UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount))
          return .YES
        }, fields)
    }
  }

  private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    byteCount += name.count + value.count
    if let text = unsafe String(validating: name, as: UTF8.self),
      let name = try? HTTPHeaderName(text),
      let value = unsafe String(validating: value, as: UTF8.self),
      (try? headers.append(value, for: name)) != nil
    {
      return
    }
    areWellFormed = false
  }
}

/// The reason why a request does not reach the handler.
enum RequestRefusal: Error, Hashable, Sendable {
  /// It is malformed, or could be read in two ways.
  case malformed
  /// Its header fields exceed the limit.
  case headersTooLarge

  /// The answer; the connection ends after it, as the end of the request is unknown.
  var answer: HTTPResponseMessage {
    switch self {
    case .malformed: .message("Problems parsing JSON", status: .badRequest)
    case .headersTooLarge: .message("Request header fields are too large", status: 431)
    }
  }
}

extension HTTPResponseMessage {
  /// The answer to a request that is no longer awaited, or for which there is no room.
  static let unavailable = message("Service Unavailable", status: .serviceUnavailable)

  fileprivate static func message(_ text: StaticString, status: HTTPStatusCode)
    -> HTTPResponseMessage
  {
    HTTPResponseMessage(
      status: status,
      headers: [
        .contentType: "application/json; charset=utf-8",
        .cacheControl: "no-cache, no-store, must-revalidate", "Pragma": "no-cache",
      ],
      body: Array("{\"message\":\"\(text)\"}".utf8))
  }
}
