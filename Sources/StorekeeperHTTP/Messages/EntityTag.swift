internal import HTTPMessages
internal import StorekeeperCrypto

/// The entity tag of an answer, by which a client asks whether the answer changed.
///
/// Source: RFC 9110 sections 8.8.3 and 13.1.2.
struct EntityTag: Sendable {
  /// The places where an answer may be kept.
  enum Keeping {
    /// With the client, which asks each time whether the answer changed.
    case byClient
    /// Nowhere between client and server, as the linking rules, section 6.1, want it of every answer. A client that
    /// remembers one itself may still ask with its tag.
    case nowhere
  }

  private let text: String

  /// Creates the tag of an answer's content.
  init(of content: [UInt8]) throws {
    text = "\"\(hexadecimal(try SHA256.digest(of: content)).prefix(32))\""
  }

  /// Returns the answer, or status 304 if the client has its content.
  ///
  /// Status 304 has the length of the content that it leaves out, so that no cache takes it for empty (RFC 9110
  /// section 8.6).
  func response(
    to request: HTTPRequestMessage, kept keeping: Keeping, _ content: [UInt8]
  ) -> HTTPResponseMessage {
    var response = HTTPResponseMessage.json(bytes: content)
    // All are valid values, so `set` does not throw.
    if isKnown(to: request) {
      response = HTTPResponseMessage(status: HTTPStatusCode(304))
      try? response.headers.set(String(content.count), for: .contentLength)
    }
    try? response.headers.set(text, for: .entityTag)
    if keeping == .byClient { try? response.headers.set("private, no-cache", for: .cacheControl) }
    return response
  }

  /// Whether one of the client's tags is this one, compared weakly.
  private func isKnown(to request: HTTPRequestMessage) -> Bool {
    request.headers.values(for: .ifNoneMatch).contains { value in
      value.split(separator: ",").contains { element in
        var tag = element.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        while tag.last == 0x20 || tag.last == 0x09 { tag.removeLast() }
        if tag.elementsEqual("*".utf8) { return true }
        if tag.starts(with: "W/".utf8) { tag = tag.dropFirst(2) }
        return tag.elementsEqual(text.utf8)
      }
    }
  }
}
