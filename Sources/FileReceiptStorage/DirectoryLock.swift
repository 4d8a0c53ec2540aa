internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The lock of a directory, which makes comparing and replacing atomic for all processes.
final class DirectoryLock: Sendable {
  private let path: String
  /// Whether the last wait failed; then waits are short until the lock was acquired again.
  private let isStuck = Locked(false)

  init(directory: String) { path = directory + "/.lock" }

  /// Holds the lock during a piece of work.
  ///
  /// The system call would wait without a limit, so this polls as long as the caller of the errand
  /// waits.
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

  /// The number of first attempts, a millisecond apart.
  private static let shortTries = 10
}
