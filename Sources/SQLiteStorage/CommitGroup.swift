internal import PurchaseStorage
internal import SQLStorage

/// Units of work that share a transaction; each is acknowledged only after the commit.
///
/// Each but the first has a savepoint, so that a failure rolls back nothing else.
final class CommitGroup {
  /// The number of units of work in it that have succeeded.
  var members = 0
  /// Whether to commit as soon as the running unit of work has ended.
  var isDue = false
  private(set) var outcome: Result<Void, any Error>?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Resumes all members with the outcome.
  func end(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Adds a member that waits for the outcome.
  func add(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }
}

/// The loss of a shared transaction through no fault of the unit of work, which runs again, alone.
struct LostGroup: Error {
  /// Whether the disk failed in the commit: a restart may still find the transaction, unless a
  /// later one overwrote it.
  var mayHaveCommitted = false
}

/// Another process locked the file for longer than the configured time.
struct StillBusy: Error {}

extension Error {
  /// Whether the unit of work should run again.
  var isConflict: Bool {
    self as? SQLFailure == .conflict || self as? StorageFailure == .conflict
  }
}

extension StorageFailure {
  static let closed = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the store is closed")
  /// The configured time limit has expired.
  static let waitedTooLong = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the turn did not come in time")
  /// A commit failed with an unknown outcome, and so did the retry.
  static let outcomeUnknown = StorageFailure.unavailable(
    mayHaveCommitted: true, detail: "a commit failed, and so did its repetition")
}
