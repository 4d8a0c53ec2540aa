internal import PurchaseStorage
internal import StorekeeperLocks

/// A failure reported by a server or its client library; it holds no values and no secrets.
package struct ServerFailure: Error, Hashable, Sendable {
  /// The consequence of a failure for the unit of work.
  package enum Cause: Hashable, Sendable {
    /// An error of its own, or an unknown one: it is not retried.
    case own
    /// A conflict with another unit of work.
    case conflict
    /// The connection was lost before the commit was sent, or cannot be used any more.
    case lost
  }

  /// The same failure for the records.
  package let reported: SQLFailure
  package let cause: Cause
  /// Whether a later attempt to connect may succeed: the server is starting, full or unreachable.
  package let isTransient: Bool

  package init(_ reported: SQLFailure, cause: Cause = .own, isTransient: Bool = false) {
    self.reported = reported
    self.cause = cause
    self.isTransient = isTransient
  }

  /// The loss of the connection, or a server that is not reached.
  package static func lost(_ detail: String) -> ServerFailure {
    ServerFailure(
      .unavailable(mayHaveCommitted: false, detail: detail), cause: .lost, isTransient: true)
  }

  /// The same failure in an answer to a commit.
  var inCommit: SQLFailure {
    guard cause == .lost, case .unavailable(_, let detail) = reported else { return reported }
    return .unavailable(mayHaveCommitted: true, detail: detail)
  }
}

/// The failure of an attempt of a unit of work.
struct UnitFailure: Error {
  let cause: ServerFailure.Cause
  /// The error for the caller, unless the unit of work is retried.
  let reported: any Error

  /// Creates a failure from the error of the closure or of the end of the transaction.
  init(_ error: any Error, in phase: UnitPhase) {
    if case .failed(let failure) = phase, !Self.isUncertain(error) {
      cause = failure.cause
      // The closure's error is more precise, unless the cause lies outside of the unit of work.
      reported = cause == .own ? error : failure.reported
    } else {
      cause = Self.isConflict(error) ? .conflict : .own
      reported = error
    }
  }

  private static func isConflict(_ error: any Error) -> Bool {
    error as? SQLFailure == .conflict || error as? StorageFailure == .conflict
  }

  private static func isUncertain(_ error: any Error) -> Bool {
    guard case .unavailable(mayHaveCommitted: true, _) = error as? SQLFailure else { return false }
    return true
  }
}

/// The retries of a unit of work: one after a lost connection, three after conflicts.
///
/// Source: `Documentation/rules/linking-rules.md`, section 2.
struct Retries {
  private static let backOff = BackOff(
    first: .milliseconds(10), longest: .milliseconds(30), jitter: 0.1...1)

  private var conflicts = 0
  private var losses = 0

  /// Returns the pause before the next attempt, or nil for no further attempt.
  mutating func pause(after cause: ServerFailure.Cause) -> Duration? {
    switch cause {
    case .own: return nil
    case .lost:
      losses += 1
      return losses <= 1 ? .zero : nil
    case .conflict:
      conflicts += 1
      guard conflicts <= 3 else { return nil }
      return Self.backOff.pause(after: conflicts, chance: .random(in: 0...1))
    }
  }
}
