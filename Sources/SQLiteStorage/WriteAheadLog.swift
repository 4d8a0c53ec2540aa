internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The size of the write-ahead log, which grows as long as there is always some reader at work.
///
/// SQLite restarts it only when nobody reads, so from time to time the readers have to be held
/// back.
final class WriteAheadLog: Sendable {
  /// The size from which the log is to be emptied, in bytes.
  static let limit = 16 << 20
  /// The time to wait for a reader or the writer then; the others are blocked meanwhile.
  static let patience = Duration.milliseconds(250)

  private let path: String
  private let state = Locked((nextSize: limit, isDue: false))

  init(ofFile path: String) { self.path = path + "-wal" }

  /// Checks the size after a commit.
  func noteCommit() {
    let size = size
    state.withLock { state in
      if size > state.nextSize { state.isDue = true }
    }
  }

  /// Whether to empty the log now; a caller that gets true does so, and then calls ``wasTried()``.
  func takeDue() -> Bool {
    state.withLock { state in
      guard state.isDue else { return false }
      state = (nextSize: .max, isDue: false)
      return true
    }
  }

  /// Schedules the next attempt; after a failure it is due when the log has grown by the same size
  /// again.
  func wasTried() {
    let size = size
    state.withLock { $0 = (nextSize: size + Self.limit, isDue: false) }
  }

  private var size: Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
