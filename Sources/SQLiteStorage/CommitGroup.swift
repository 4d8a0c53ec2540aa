internal import PurchaseStorage
internal import SQLStorage

/// Units of work that share a transaction: they are kept together, and none is told so before.
///
/// Each but the first has a savepoint, so that one that fails takes nothing with it.
final class CommitGroup {
  /// How many units of work have succeeded in it.
  var members = 0
  /// Whether it is to be committed as soon as the unit of work that runs has ended.
  var isDue = false
  private(set) var outcome: Result<Void, any Error>?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Tells all members.
  func end(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Notes who is to be told.
  func add(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }
}

/// The transaction that a unit of work shared was lost through no fault of its own: it runs again,
/// alone.
struct LostGroup: Error {
  /// Whether the disk failed in the commit, so that a restart may find the transaction all the same,
  /// unless a later one was written over it.
  var mayHaveCommitted = false
}

/// Another process has the file for longer than the configuration waits.
struct StillBusy: Error {}

extension Error {
  /// Whether the unit of work is to run again.
  var isConflict: Bool {
    self as? SQLFailure == .conflict || self as? StorageFailure == .conflict
  }
}

extension StorageFailure {
  /// The store was closed.
  static let closed = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the store is closed")
  /// The limit of the configuration was reached.
  static let waitedTooLong = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the turn did not come in time")
  /// A commit failed without a known outcome, and what was to write the same again failed too.
  static let outcomeUnknown = StorageFailure.unavailable(
    mayHaveCommitted: true, detail: "a commit failed, and so did its repetition")
}
