internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The log beside the file, which grows while some reader is always at work.
///
/// SQLite begins it anew only when nobody reads, so now and then the readers have to be held back.
final class SQLiteLog: Sendable {
  /// How large it may become before somebody sees to it, in bytes.
  static let limit = 16 << 20
  /// How long a reader or the writer is waited for then; the others stand still meanwhile.
  static let patience = Duration.milliseconds(250)

  private let path: String
  private let state = Locked((nextSize: limit, isDue: false))

  init(ofFile path: String) { self.path = path + "-wal" }

  /// Looks at its size after a commit.
  func noteCommit() {
    let size = size
    state.withLock { state in
      if size > state.nextSize { state.isDue = true }
    }
  }

  /// Whether it is to be emptied; who is told so does it, and says ``wasTried()``.
  func takeDue() -> Bool {
    state.withLock { state in
      guard state.isDue else { return false }
      state = (nextSize: .max, isDue: false)
      return true
    }
  }

  /// Where emptying failed, the next try comes when the log has grown by the same size again.
  func wasTried() {
    let size = size
    state.withLock { $0 = (nextSize: size + Self.limit, isDue: false) }
  }

  private var size: Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
