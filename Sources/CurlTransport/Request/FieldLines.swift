internal import HTTPMessages

/// The lines of a request's fields in the syntax of curl's option `CURLOPT_HTTPHEADER`.
struct FieldLines {
  private(set) var all: [String] = []

  /// The lines, or nil where the fields contradict the request: on a connection that is kept, a
  /// server would take what follows for the body, or the body for what follows.
  init?(_ request: HTTPRequest) {
    let headers = request.headers
    guard headers["Transfer-Encoding"] == nil,
      // Curl would wait for an answer before it sends the body, or send the request twice.
      headers["Expect"] == nil,
      headers.values(for: .contentLength).allSatisfy({ $0 == String(request.body.count) }),
      headers.values(for: .contentLength).count <= 1,
      // RFC 9112 section 3.2.
      headers.values(for: "Host").count <= 1, headers["Host"] != ""
    else { return nil }
    // Without a value behind the colon, curl takes the line for the wish to leave a field out.
    all = headers.map { field in
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    for name in Self.additions where headers[name] == nil { all.append("\(name):") }
  }

  /// What curl would add.
  private static let additions: [HTTPHeaderName] = [.accept, .contentType, "Expect"]
}
