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
    guard let method, let target, Self.isTarget(target), fields.areTexts else { throw .malformed }
    self.target = target
    var headers = HTTPHeaders()
    do throws(HTTPSyntaxFailure) {
      self.method = try HTTPRequestMethod(method)
      for field in fields.texts {
        try headers.append(field.value, for: HTTPHeaderName(field.name))
      }
    } catch {
      throw .malformed
    }
    self.headers = headers
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
    guard let coding = codings.first else { return Set(lengths).count <= 1 }
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
