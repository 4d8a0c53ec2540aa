internal import CStorekeeperMicroHTTPD
internal import HTTPMessages

/// A response of libmicrohttpd; unique, so it is released exactly once.
@safe
struct Reply: ~Copyable {
  private let handle: OpaquePointer
  private let status: HTTPStatusCode

  /// Copies an answer; nil if there is no memory.
  init?(_ response: HTTPResponseMessage, isLast: Bool) {
    let handle =
      if let length = Self.leftOutLength(response) {
        // Nothing of a status 304 is sent but its length.
        unsafe MHD_create_response_from_callback(length, 1, { _, _, _, _ in -1 }, nil, nil)
      } else {
        unsafe response.body.withUnsafeBytes { body in
          unsafe MHD_create_response_from_buffer(
            body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
        }
      }
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
    status = (200...599).contains(response.status.code) ? response.status : .internalServerError
    for field in response.headers where !Self.own.contains(field.name) {
      // Only values with control characters are refused; a tab is the only one here.
      _ = unsafe MHD_add_response_header(handle, field.name.text, field.value)
    }
    if isLast { _ = unsafe MHD_add_response_header(handle, "Connection", "close") }
  }

  /// The length of the content that a status 304 leaves out; nil for another answer.
  private static func leftOutLength(_ response: HTTPResponseMessage) -> UInt64? {
    response.status == 304 ? response.headers[.contentLength].flatMap { UInt64($0) } : nil
  }

  deinit { unsafe MHD_destroy_response(handle) }

  func queue(on connection: OpaquePointer) -> Bool {
    unsafe MHD_queue_response(connection, UInt32(status.code), handle) == .YES
  }

  /// The header fields that libmicrohttpd writes itself.
  static let own: [HTTPHeaderName] = [.contentLength, "Transfer-Encoding", .date]
}

/// An answer sent past libmicrohttpd, which accepts none in the middle of a body.
///
/// The server then closes its side and keeps reading: if the connection were closed with unread
/// bytes, the system would reset it, and the client would lose the answer.
struct EarlyAnswer {
  private let bytes: [UInt8]

  init(_ response: HTTPResponseMessage, to method: HTTPRequestMethod?) {
    let code = response.status.code
    let reason = unsafe String(cString: MHD_get_reason_phrase_for(UInt32(clamping: code)))
    var head = "HTTP/1.1 \(code) \(reason)\r\nDate: \(Self.date)\r\n"
    for field in response.headers where !Reply.own.contains(field.name) {
      head += "\(field.name.text): \(field.value)\r\n"
    }
    head += "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
    bytes = Array(head.utf8) + (method == .head ? [] : response.body)
  }

  /// Sends the whole answer, and closes this side; returns false if that cannot be done at once.
  func send(on socket: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe cmicrohttpd_send_last(socket, bytes.baseAddress, bytes.count) == 0
    }
  }

  /// The current date (RFC 9110 section 5.6.7).
  private static var date: String {
    var text = [CChar](repeating: 0, count: 64)
    unsafe cmicrohttpd_date(&text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
