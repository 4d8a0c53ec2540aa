internal import CStorekeeperCurl
internal import StorekeeperLocks

/// Curl's handle for concurrent transfers, with the connections that it keeps.
@safe
final class Multi: @unchecked Sendable {
  // Sendable because `wake` may be called on any thread (curl_multi_wakeup(3)), and everything
  // else, including deinit, is only called on the loop's thread.
  private let handle: UnsafeMutableRawPointer
  /// The sockets of its connections, which outlive them.
  let sockets = Sockets()

  /// Creates a handle without transfers.
  ///
  /// - Throws: ``CurlFailure`` if curl cannot be set up.
  init() throws(CurlFailure) {
    try Self.setUpLibrary().check()
    guard let handle = unsafe curl_multi_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY) }
    unsafe self.handle = handle
    guard unsafe ccurl_multi_set_number(handle, CURLMOPT_MAXCONNECTS, 16) == CURLM_OK else {
      throw CurlFailure(CURLE_FAILED_INIT)
    }
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// Ends the current wait, or else the next one.
  func wake() { unsafe curl_multi_wakeup(handle) }

  /// Begins a transfer, which the caller must retain until it is removed.
  func add(_ transfer: Transfer) -> Bool {
    unsafe curl_multi_add_handle(handle, transfer.handle) == CURLM_OK
  }

  /// Removes a transfer, and closes its connection unless it ended successfully.
  func remove(_ transfer: Transfer) {
    unsafe curl_multi_remove_handle(handle, transfer.handle)
  }

  /// Advances all transfers without waiting; returns false after a general failure of curl.
  func perform() -> Bool {
    var count: CInt = 0
    return unsafe curl_multi_perform(handle, &count) == CURLM_OK
  }

  /// Waits until a transfer can advance, up to a time limit; returns false after a general failure
  /// of curl.
  func wait(_ time: Duration) -> Bool {
    var count: CInt = 0
    let milliseconds = CInt(time / .milliseconds(1))
    return unsafe curl_multi_poll(handle, nil, 0, milliseconds, &count) == CURLM_OK
  }

  /// Calls a closure with each transfer that has ended since the last call, and its result.
  func forEachEnd(_ body: (Transfer, CURLcode) -> Void) {
    var code = CURLE_OK
    while let context = unsafe ccurl_next_end(handle, &code) {
      body(unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), code)
    }
  }

  /// Initializes libcurl, once for the process.
  ///
  /// This happens when a transport is created, not on another thread while the process may be
  /// ending.
  static func setUpLibrary() -> CURLcode { library }

  private static let library = {
    let code = curl_global_init(Int(CURL_GLOBAL_ALL))
    _ = ProcessEnd.gate
    return code
  }()
}

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
