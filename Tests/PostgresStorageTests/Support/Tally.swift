import StorekeeperLocks

/// A counter of events.
final class Tally: Sendable {
  private let state = Locked(0)

  /// Counts one more.
  @discardableResult
  func add() -> Int {
    state.withLock { count in
      count += 1
      return count
    }
  }

  var count: Int { state.withLock { $0 } }
}

/// Numbers in the order in which they came.
final class Series: Sendable {
  private let state = Locked([Int]())

  func append(_ number: Int) { state.withLock { $0.append(number) } }

  var numbers: [Int] { state.withLock { $0 } }
}
