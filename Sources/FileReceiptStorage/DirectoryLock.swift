internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The lock of a directory, so that comparing and replacing are one step for all processes.
final class DirectoryLock: Sendable {
  private let path: String
  /// Whether the last wait was in vain; then nobody waits long until the lock was had again.
  private let isStuck = Locked(false)

  init(directory: String) { path = directory + "/.lock" }

  /// Holds the lock during a piece of work.
  ///
  /// The system's own wait has no end, so this asks again and again, as long as somebody waits for the
  /// errand.
  func holding<Result>(
    during errand: Errand, _ body: () throws(FileReceiptStore.Failure) -> Result
  ) throws(FileReceiptStore.Failure) -> Result {
    let file = try OpenFile(creating: path)
    var tries = 0
    while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw .system(code: errno) }
      tries += 1
      let isHopeless = isStuck.withLock { isStuck in
        if errand.isGivenUp { isStuck = true }
        return isStuck && tries > Self.shortTries
      }
      if errand.isGivenUp || isHopeless { throw .timeUp }
      usleep(tries <= Self.shortTries ? 1000 : 10_000)
    }
    isStuck.withLock { $0 = false }
    let result = try body()
    _ = file.descriptor
    return result
  }

  /// As often it is asked at once, a millisecond apart.
  private static let shortTries = 10
}
