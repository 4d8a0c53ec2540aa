internal import CStorekeeperCurl

/// The socket of a session; used only on the lane's queue, and at last by the thread that ends the session.
final class SMTPSocket {
  private var socket: curl_socket_t?

  /// Takes note of the sockets of a handle, which this object must outlive.
  func watch(_ handle: UnsafeMutableRawPointer) -> CURLcode {
    unsafe ccurl_set_socket_callbacks(
      handle, Unmanaged.passUnretained(self).toOpaque(),
      { context, socket, _ in
        unsafe SMTPSocket.of(context)?.socket = socket
        return CInt(CURL_SOCKOPT_OK)
      },
      { context, socket in
        let watcher = unsafe SMTPSocket.of(context)
        if watcher?.socket == socket { watcher?.socket = nil }
        ccurl_close(socket)
        return 0
      })
  }

  /// Ends the connection at once: curl would say goodbye to a server that gave no answer, and wait for one.
  func shutDown() {
    if let socket { ccurl_shut_down(socket) }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> SMTPSocket? {
    unsafe context.map { unsafe Unmanaged<SMTPSocket>.fromOpaque($0).takeUnretainedValue() }
  }
}
