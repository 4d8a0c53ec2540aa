internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLRequest {
  /// Creates a request for URLSession.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` with `invalidRequest` for a request that
  ///   URLSession would not send, or not unchanged.
  init(_ request: HTTPRequestMessage) throws(HTTPTransportFailure) {
    let isBodyless = request.method == .get || request.method == .head
    guard let url = URL(message: request.url), request.body.isEmpty || !isBodyless else {
      throw HTTPTransportFailure(.invalidRequest)
    }
    // The transport measures the time; URLSession's own timeout must not come first.
    self.init(url: url, timeoutInterval: 2 * 86_400)
    httpMethod = request.method.name
    // URLSession changes some names to upper case, which would be another method.
    guard httpMethod == request.method.name else { throw HTTPTransportFailure(.invalidRequest) }
    httpShouldHandleCookies = false
    // A new connection. On a kept one that is just being closed, the request would be sent again,
    // on Linux without its body.
    setValue("close", forHTTPHeaderField: "Connection")
    for field in request.headers where field.name != "Connection" {
      addValue(field.value, forHTTPHeaderField: field.name.text)
    }
    guard !request.body.isEmpty else { return }
    httpBody = Data(request.body)
    // URLSession would declare it a form.
    if request.headers[.contentType] == nil {
      addValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
  }
}

extension URL {
  /// Creates a URL to which a request can be sent unchanged, or nil.
  fileprivate init?(message address: String) {
    // The URL is sent unchanged or not at all: nothing is escaped silently.
    guard let url = URL(string: address, encodingInvalidCharacters: false),
      var components = URLComponents(url: url, resolvingAgainstBaseURL: false),
      let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
      components.host?.isEmpty == false, components.user == nil, components.password == nil,
      (0...65_535).contains(components.port ?? 0)
    else { return nil }
    // URLSession would resolve dot segments (RFC 3986 section 5.2.4).
    let segments = components.percentEncodedPath.split(separator: "/")
    if segments.contains(".") || segments.contains("..") { return nil }
    // URLSession on Linux supports the scheme only in lower case (RFC 3986 section 3.1).
    components.scheme = scheme
    guard let lowercased = components.url else { return nil }
    self = lowercased
  }
}
