internal import CStorekeeperMicroHTTPD
internal import HTTPMessages

/// An answer in the hands of libmicrohttpd; unique, so it is let go of exactly once.
@safe
struct Reply: ~Copyable {
  private let handle: OpaquePointer
  private let status: HTTPStatusCode

  /// Copies an answer; nil where there is no memory.
  init?(_ response: HTTPResponse, isLast: Bool) {
    let handle = unsafe response.body.withUnsafeBytes { body in
      unsafe MHD_create_response_from_buffer(
        body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
    status = (200...599).contains(response.status.code) ? response.status : .internalServerError
    for field in response.headers where !Self.own.contains(field.name) {
      // Refused are only values with control characters, which are none here but the tab.
      _ = unsafe MHD_add_response_header(handle, field.name.text, field.value)
    }
    if isLast { _ = unsafe MHD_add_response_header(handle, "Connection", "close") }
  }

  deinit { unsafe MHD_destroy_response(handle) }

  func queue(on connection: OpaquePointer) -> Bool {
    unsafe MHD_queue_response(connection, UInt32(status.code), handle) == .YES
  }

  /// What libmicrohttpd says itself.
  static let own: [HTTPHeaderName] = [.contentLength, "Transfer-Encoding", .date]
}
