internal import Foundation
internal import HTTPMessages

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLRequest {
  /// A request as URLSession takes it.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` with `invalidRequest` for one that URLSession
  ///   would not send, or not as it is.
  init(_ request: HTTPRequest) throws(HTTPTransportFailure) {
    let isBodyless = request.method == .get || request.method == .head
    guard let url = URL(message: request.url), request.body.isEmpty || !isBodyless else {
      throw HTTPTransportFailure(.invalidRequest)
    }
    // The transport measures the time; URLSession's own end must not come before.
    self.init(url: url, timeoutInterval: 2 * 86_400)
    httpMethod = request.method.name
    // URLSession writes some names in upper case; then the method would be another one.
    guard httpMethod == request.method.name else { throw HTTPTransportFailure(.invalidRequest) }
    httpShouldHandleCookies = false
    // A connection of its own. On one that was kept and is just being closed, the request would be
    // sent again, on Linux without its body.
    setValue("close", forHTTPHeaderField: "Connection")
    for field in request.headers where field.name != "Connection" {
      addValue(field.value, forHTTPHeaderField: field.name.text)
    }
    guard !request.body.isEmpty else { return }
    httpBody = Data(request.body)
    // URLSession would call it a form.
    if request.headers[.contentType] == nil {
      addValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
  }
}

extension URL {
  /// An address that can be sent to, or nil.
  fileprivate init?(message address: String) {
    // Sent as it is given or not at all: nothing is escaped silently.
    guard let url = URL(string: address, encodingInvalidCharacters: false),
      var components = URLComponents(url: url, resolvingAgainstBaseURL: false),
      let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
      components.host?.isEmpty == false, components.user == nil, components.password == nil,
      (0...65_535).contains(components.port ?? 0)
    else { return nil }
    // URLSession would resolve them (RFC 3986 section 5.2.4).
    let segments = components.percentEncodedPath.split(separator: "/")
    if segments.contains(".") || segments.contains("..") { return nil }
    // URLSession on Linux knows the scheme in lower case only (RFC 3986 section 3.1).
    components.scheme = scheme
    guard let lowercased = components.url else { return nil }
    self = lowercased
  }
}
