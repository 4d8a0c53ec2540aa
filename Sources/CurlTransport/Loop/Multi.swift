internal import CStorekeeperCurl

/// Curl's handle of many transfers at a time, with the connections that it keeps.
@safe
final class Multi: @unchecked Sendable {
  // Sendable because `wake` may be called on any thread (curl_multi_wakeup(3)), and all else is only
  // called on the loop's, deinit included.
  private let handle: UnsafeMutableRawPointer
  /// Those of its connections; there until all are closed.
  let sockets = Sockets()

  /// A handle without transfers.
  ///
  /// - Throws: ``CurlFailure`` where curl cannot be set up.
  init() throws(CurlFailure) {
    try Self.setUpLibrary().check()
    guard let handle = unsafe curl_multi_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY) }
    unsafe self.handle = handle
    guard unsafe ccurl_multi_set_number(handle, CURLMOPT_MAXCONNECTS, 16) == CURLM_OK else {
      throw CurlFailure(CURLE_FAILED_INIT)
    }
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// Ends a wait, now or the next one.
  func wake() { unsafe curl_multi_wakeup(handle) }

  /// Begins a transfer, which the caller keeps until it is removed.
  func add(_ transfer: Transfer) -> Bool {
    unsafe curl_multi_add_handle(handle, transfer.handle) == CURLM_OK
  }

  /// Takes a transfer out, and closes its connection unless it has ended well.
  func remove(_ transfer: Transfer) {
    unsafe curl_multi_remove_handle(handle, transfer.handle)
  }

  /// Does what can be done without waiting; false where curl is at its wits' end.
  func perform() -> Bool {
    var count: CInt = 0
    return unsafe curl_multi_perform(handle, &count) == CURLM_OK
  }

  /// Waits until something can be done or the time is up; false where curl is at its wits' end.
  func wait(_ time: Duration) -> Bool {
    var count: CInt = 0
    let milliseconds = CInt(time / .milliseconds(1))
    return unsafe curl_multi_poll(handle, nil, 0, milliseconds, &count) == CURLM_OK
  }

  /// Calls with each transfer that has ended since, and how.
  func forEachEnd(_ body: (Transfer, CURLcode) -> Void) {
    var code = CURLE_OK
    while let context = unsafe ccurl_next_end(handle, &code) {
      body(unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), code)
    }
  }

  /// Sets curl itself up, once for the process.
  ///
  /// It is done where a transport is made, and not first on some thread while the process may end.
  static func setUpLibrary() -> CURLcode { library }

  private static let library = {
    let code = curl_global_init(Int(CURL_GLOBAL_ALL))
    _ = ProcessEnd.gate
    return code
  }()
}
