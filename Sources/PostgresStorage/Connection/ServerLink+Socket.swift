internal import CStorekeeperPostgreSQL
internal import JSONValues

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension ServerLink {
  /// Whether the server has sent something, or closed the connection.
  var hasInput: Bool { ready(for: POLLIN, within: .zero) != 0 }

  /// Flushes libpq's output, and waits until a result is available.
  ///
  /// libpq itself would wait without a limit.
  func waitForAnswer() throws(ServerFailure) {
    var unsent = unsafe PQflush(handle)
    while unsent >= 0, unsafe unsent > 0 || PQisBusy(handle) == 1 {
      let events = ready(for: unsent > 0 ? POLLIN | POLLOUT : POLLIN, within: silenceLimit)
      guard events != 0 else { throw .lost(detail: "the server is silent") }
      // A failure shows in the result, or as the loss of the connection.
      if events & ~POLLOUT != 0, unsafe PQconsumeInput(handle) == 0 { return }
      if unsent > 0 { unsent = unsafe PQflush(handle) }
    }
  }

  /// Returns the events that the socket is ready for; none after the time limit.
  private func ready(for events: Int32, within limit: Duration?) -> Int32 {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
    while unsafe poll(&descriptor, 1, Self.milliseconds(until: deadline)) < 0, errno == EINTR {}
    return Int32(descriptor.revents)
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline)
    return left > .zero ? left.wholeMilliseconds : 0
  }
}
