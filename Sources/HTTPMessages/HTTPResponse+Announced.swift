extension HTTPResponse {
  /// Returns whether the head of a response announces a body above a size limit, which a transport refuses
  /// unread.
  ///
  /// A response without a body may still have the length of another one (RFC 9110 section 8.6), and the length
  /// of a coded body is not that of its content.
  package func announcesBody(largerThan limit: Int, to method: HTTPRequestMethod) -> Bool {
    guard method != .head, status != .noContent, status != 304,
      headers["Content-Encoding"] == nil, let text = headers[.contentLength],
      !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return false }
    // Digits that are no number are too many.
    return Int(text).map { $0 > limit } ?? true
  }
}
