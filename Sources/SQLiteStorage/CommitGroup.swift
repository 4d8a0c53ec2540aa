internal import PurchaseStorage

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
struct LostGroup: Error {}

/// Another process has the file for longer than the configuration waits.
struct StillBusy: Error {}
