internal import CPostgreSQL

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension ServerLink {
  /// Whether the server has sent something, or closed the connection.
  var hasInput: Bool { isReady(POLLIN, within: 0) ?? false }

  /// Whether the socket is ready before the deadline.
  func waitForSocket(toRead: Bool, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      let isReady = isReady(toRead ? POLLIN : POLLOUT, within: left.wholeMilliseconds)
      if let isReady { return isReady }
    }
  }

  /// Nil if a signal came first.
  private func isReady(_ events: Int32, within milliseconds: Int32) -> Bool? {
    var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
    let count = unsafe poll(&descriptor, 1, milliseconds)
    return count < 0 && errno == EINTR ? nil : count > 0
  }
}
