internal import StorekeeperLocks

/// How many bytes of bodies all connections of a server keep together.
final class BodyMemory: Sendable {
  private let free: Locked<Int>

  init(_ limit: Int) { free = Locked(limit) }

  /// Takes so many bytes, where there are so many.
  func take(_ count: Int) -> Bool {
    free.withLock { free in
      guard free >= count else { return false }
      free -= count
      return true
    }
  }

  func free(_ count: Int) { free.withLock { $0 += count } }
}
