internal import CStorekeeperCurl

/// The sockets of all connections, used only on the loop's thread.
///
/// Curl up to 7.88 reuses a kept connection even if data has arrived on it: the end of TLS, after
/// which the request would be lost, or an unsolicited response, which it would take for the
/// response.
final class Sockets {
  private var open: Set<curl_socket_t> = []

  /// Tracks a transfer's sockets; this object must outlive the transfer.
  func watch(_ handle: UnsafeMutableRawPointer) throws(CurlFailure) {
    try unsafe ccurl_set_socket_callbacks(
      handle, Unmanaged.passUnretained(self).toOpaque(),
      { context, socket, _ in
        unsafe Sockets.of(context)?.open.insert(socket)
        return CInt(CURL_SOCKOPT_OK)
      },
      { context, socket in
        unsafe Sockets.of(context)?.open.remove(socket)
        ccurl_close(socket)
        return 0
      }
    ).check()
  }

  /// Returns whether the connection between two ports has no unread data and is not closed.
  ///
  /// If several connections have these ports, this must hold for all.
  func areQuiet(ownPort: CInt, peerPort: CInt) -> Bool {
    let found = open.filter { ccurl_connects($0, ownPort, peerPort) != 0 }
    return !found.isEmpty && found.allSatisfy { ccurl_is_quiet($0) != 0 }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Sockets? {
    unsafe context.map { unsafe Unmanaged<Sockets>.fromOpaque($0).takeUnretainedValue() }
  }
}
