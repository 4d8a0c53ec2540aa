internal import CStorekeeperCurl

/// The sockets of kept and other connections; on the loop's thread only.
///
/// Curl up to 7.88 uses a kept connection again although something has arrived on it since: the end of
/// TLS, after which the request would be lost, or an answer that nobody asked for, which it would take
/// for the answer.
final class Sockets {
  private var open: Set<curl_socket_t> = []

  /// Has a transfer's sockets noted, while this is there.
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

  /// Whether nothing has arrived that was not read, not even the end, on the connection between two
  /// ports; on all of them, should there be several.
  func areQuiet(ownPort: CInt, peerPort: CInt) -> Bool {
    let found = open.filter { ccurl_connects($0, ownPort, peerPort) != 0 }
    return !found.isEmpty && found.allSatisfy { ccurl_is_quiet($0) != 0 }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Sockets? {
    unsafe context.map { unsafe Unmanaged<Sockets>.fromOpaque($0).takeUnretainedValue() }
  }
}
