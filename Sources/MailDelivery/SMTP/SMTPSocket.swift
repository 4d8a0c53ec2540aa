internal import CStorekeeperCurl
internal import StorekeeperLocks

/// The socket of a session, which any thread may shut down while curl has it open.
final class SMTPSocket: Sendable {
  private let socket = Locked<curl_socket_t?>(nil)

  /// Takes note of the sockets of a handle, which this object must outlive.
  func watch(_ handle: UnsafeMutableRawPointer) -> CURLcode {
    unsafe ccurl_set_socket_callbacks(
      handle, Unmanaged.passUnretained(self).toOpaque(),
      { context, socket, _ in
        unsafe SMTPSocket.of(context)?.socket.withLock { $0 = socket }
        return CInt(CURL_SOCKOPT_OK)
      },
      { context, socket in
        // Before it is closed, as its number may be given again then.
        unsafe SMTPSocket.of(context)?.socket.withLock { if $0 == socket { $0 = nil } }
        ccurl_close(socket)
        return 0
      })
  }

  /// Ends the connection at once: curl would say goodbye to a server that gave no answer, and wait for one.
  func shutDown() {
    socket.withLock { socket in
      if let socket { ccurl_shut_down(socket) }
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> SMTPSocket? {
    unsafe context.map { unsafe Unmanaged<SMTPSocket>.fromOpaque($0).takeUnretainedValue() }
  }
}
