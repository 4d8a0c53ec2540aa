internal import CStorekeeperCurl
internal import HTTPMessages
internal import JSONValues

/// A valid request with its limits.
struct Message: Sendable {
  let method: HTTPRequestMethod
  let address: String
  /// Whether the request is for this machine.
  let isLoopback: Bool
  /// The header fields as lines for curl.
  let lines: [String]
  /// The body, or nil for a request without body and `Content-Length`.
  let body: [UInt8]?
  let milliseconds: Int
  let responseLimit: Int

  /// Checks a request.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` with `invalidRequest` for a request that curl
  ///   would not send, or not unchanged; with `timedOut` for a timeout that is not positive.
  init(
    _ request: HTTPRequestMessage, timeout: Duration, responseLimit: Int
  ) throws(HTTPTransportFailure) {
    let isBodyless = request.method == .get || request.method == .head
    guard let host = Address.usableHost(of: request.url), request.body.isEmpty || !isBodyless,
      let lines = FieldLines(request)
    else { throw HTTPTransportFailure(.invalidRequest) }
    let timeout = min(request.timeout ?? timeout, Self.longestTimeout)
    guard timeout > .zero else { throw HTTPTransportFailure(.timedOut) }
    method = request.method
    address = request.url
    isLoopback = LoopbackHost.isOne(host)
    self.lines = lines.all
    // These methods have a `Content-Length` even when it is 0 (RFC 9110 section 8.6).
    let hasLength = [.post, .put, .patch].contains(method) || !request.body.isEmpty
    body = hasLength ? request.body : nil
    milliseconds = Int(timeout.wholeMilliseconds)
    self.responseLimit = request.responseLimit ?? responseLimit
  }

  private static let longestTimeout = Duration.seconds(86_400)
}

/// The check of request URLs.
enum Address {
  /// Returns the host of a URL to which curl sends a request unchanged; nil for another URL.
  ///
  /// It must be `http` or `https`, with a host, in visible ASCII characters. Curl would also accept
  /// a user and a password, spaces, any number of slashes before the host, and escapes in its name.
  static func usableHost(of address: String) -> String? {
    guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = address.firstIndex(of: ":"),
      ["http", "https"].contains(address[..<colon].lowercased()),
      address[colon...].hasPrefix("://")
    else { return nil }
    let authority = address[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
    guard !authority.isEmpty, authority.allSatisfy({ !#"@%\"#.contains($0) }) else { return nil }
    return parsedHost(of: address)
  }

  private static func parsedHost(of address: String) -> String? {
    guard let url = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(url) }
    let flags = UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
    guard unsafe curl_url_set(url, CURLUPART_URL, address, flags) == CURLUE_OK else {
      return nil
    }
    var host: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK,
      let text = unsafe host
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}

/// The header fields of a request in the syntax of curl's option `CURLOPT_HTTPHEADER`.
struct FieldLines {
  private(set) var all: [String] = []

  /// Creates the lines, or nil if the fields contradict the request.
  ///
  /// On a kept connection, a server would otherwise take the next request for the body, or the body
  /// for the next request.
  init?(_ request: HTTPRequestMessage) {
    let headers = request.headers
    guard headers["Transfer-Encoding"] == nil,
      // Curl would wait for a response before it sends the body, or send the request twice.
      headers["Expect"] == nil,
      headers.values(for: .contentLength).allSatisfy({ $0 == String(request.body.count) }),
      headers.values(for: .contentLength).count <= 1,
      // RFC 9112 section 3.2.
      headers.values(for: "Host").count <= 1, headers["Host"] != ""
    else { return nil }
    // Curl removes a field whose line has no value after the colon; a semicolon sends it empty.
    all = headers.map { field in
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    for name in Self.additions where headers[name] == nil { all.append("\(name):") }
  }

  /// The fields that curl would add.
  private static let additions: [HTTPHeaderName] = [.accept, .contentType, "Expect"]
}
