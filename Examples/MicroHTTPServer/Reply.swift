internal import CStorekeeperMicroHTTPD
internal import HTTPMessages

/// A response of libmicrohttpd; unique, so it is released exactly once.
@safe
struct Reply: ~Copyable {
  private let handle: OpaquePointer
  private let status: HTTPStatusCode

  /// Copies an answer; nil if there is no memory.
  init?(_ response: HTTPResponseMessage, isLast: Bool) {
    let handle = unsafe response.body.withUnsafeBytes { body in
      unsafe MHD_create_response_from_buffer(
        body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
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

  deinit { unsafe MHD_destroy_response(handle) }

  func queue(on connection: OpaquePointer) -> Bool {
    unsafe MHD_queue_response(connection, UInt32(status.code), handle) == .YES
  }

  /// The header fields that libmicrohttpd writes itself.
  static let own: [HTTPHeaderName] = [.contentLength, "Transfer-Encoding", .date]
}
