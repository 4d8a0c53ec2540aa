internal import CStorekeeperMicroHTTPD
internal import HTTPMessages

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
