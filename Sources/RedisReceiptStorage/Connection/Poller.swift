internal import CStorekeeperCurl
internal import StorekeeperLocks

/// The wait of the thread: for a connection that is opened, for a socket, and for being woken.
@safe
final class Poller: @unchecked Sendable {
  // Sendable because `wake` may be called on any thread (curl_multi_wakeup(3)), and everything
  // else, including deinit, is only called on the line's thread or after it has ended.
  private let handle: UnsafeMutableRawPointer

  /// The result of initializing libcurl, once for the process.
  static let library = {
    let code = curl_global_init(Int(CURL_GLOBAL_ALL))
    _ = ProcessEnd.gate
    return code
  }()

  /// Creates a wait; nil if curl cannot be set up.
  init?() {
    guard Self.library == CURLE_OK, let handle = unsafe curl_multi_init() else { return nil }
    unsafe self.handle = handle
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// Ends the current wait, or else the next one.
  func wake() { unsafe curl_multi_wakeup(handle) }

  /// Waits until a socket is ready, a connection that is opened can advance, or somebody wakes, in a state in which
  /// the process may end; returns whether the socket may be ready.
  @discardableResult
  func wait(
    for socket: curl_socket_t? = nil, _ event: Event = .readable,
    until deadline: ContinuousClock.Instant
  ) -> Bool {
    let rest = ContinuousClock.now.duration(to: deadline)
    // Rounded up, so that nobody polls again and again in the last millisecond.
    let milliseconds = CInt(max(0, min(60_000, (rest / .milliseconds(1)).rounded(.up))))
    var descriptor = curl_waitfd(
      fd: socket ?? CURL_SOCKET_BAD, events: event.rawValue, revents: 0)
    var count: CInt = 0
    ProcessEnd.gate.leave()
    unsafe curl_multi_poll(handle, &descriptor, socket == nil ? 0 : 1, milliseconds, &count)
    ProcessEnd.gate.enter()
    return descriptor.revents != 0
  }

  /// The event for which a socket is waited.
  enum Event: CShort {
    case readable = 1
    case writable = 4
  }

  // MARK: Connections that are opened

  func add(_ transfer: UnsafeMutableRawPointer) -> Bool {
    unsafe curl_multi_add_handle(handle, transfer) == CURLM_OK
  }

  /// Removes a transfer, and closes its connection.
  func remove(_ transfer: UnsafeMutableRawPointer) {
    unsafe curl_multi_remove_handle(handle, transfer)
  }

  /// Advances the connection that is opened; returns how it ended, or nil if it hasn't.
  func advance() -> CURLcode? {
    var count: CInt = 0
    guard unsafe curl_multi_perform(handle, &count) == CURLM_OK else { return CURLE_FAILED_INIT }
    var code = CURLE_OK
    return unsafe ccurl_next_end(handle, &code) == nil ? nil : code
  }
}
