internal import HTTPMessages

/// A body that is no answer of a store.
public enum FaultBody: Hashable, Sendable {
  case empty
  case html
  case null
  case text(String)

  var bytes: [UInt8] {
    switch self {
    case .empty: []
    case .html: Array("<html><body>Service Unavailable</body></html>".utf8)
    case .null: Array("null".utf8)
    case .text(let text): Array(text.utf8)
    }
  }

  /// Returns the answer with the body; a store has a media type of its own for JSON.
  func response(_ status: HTTPStatusCode, json: String) -> HTTPResponseMessage {
    var response = HTTPResponseMessage(status: status, body: bytes)
    switch self {
    case .empty: break
    case .html: response.headers = [.contentType: "text/html"]
    // A media type has no control characters.
    case .null: try? response.headers.set(json, for: .contentType)
    case .text: response.headers = [.contentType: "text/plain"]
    }
    return response
  }
}

extension HTTPResponseMessage {
  mutating func truncate() { body = Array(body.prefix(body.count / 2)) }

  /// Adds white space until the body has at least so many bytes.
  mutating func pad(to count: Int) {
    body += Array(repeating: UInt8(ascii: " "), count: max(0, count - body.count))
  }
}
