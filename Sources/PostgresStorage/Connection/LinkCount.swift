internal import SQLStorage
internal import StorekeeperLocks

/// How many connections to a server are open.
final class LinkCount: Sendable {
  private let count = Locked(0)

  var isNone: Bool { count.withLock { $0 == 0 } }

  func add(_ number: Int) { count.withLock { $0 += number } }
}

/// A server that was not reached in all the time that there was.
struct Unreached: Error {
  let failure: SQLFailure
}
