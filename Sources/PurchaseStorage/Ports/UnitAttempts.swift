internal import Synchronization

/// The attempts of one unit of work.
package struct UnitAttempts: ~Copyable, Sendable {
  private let begun = Atomic(0)
  private let nanosecondsWaited = Atomic(0)

  /// Creates those of a unit of work that is about to be asked for.
  package init() {}

  /// Notes that the closure is called: once, or again after a conflict or a lost connection.
  package func begin() { begun.wrappingAdd(1, ordering: .relaxed) }

  /// Notes the time before the first attempt, where there is one; that before a later one does nothing.
  package func wait(_ time: Duration) {
    guard count == 0 else { return }
    nanosecondsWaited.store(
      Int(clamping: time.attoseconds / 1_000_000_000), ordering: .relaxed)
  }

  /// The number of attempts.
  package var count: Int { begun.load(ordering: .relaxed) }

  /// The time before the first attempt.
  package var wait: Duration { .nanoseconds(nanosecondsWaited.load(ordering: .relaxed)) }
}

/// A store that counts the attempts of its units of work where it makes them, which takes less time than a closure
/// around each.
package protocol AttemptCountingStore: PurchaseStore {
  /// As ``/PurchaseStorage/PurchaseStore/read(_:)``, noting each attempt, and the time before the first.
  func read<Result: Sendable>(
    counting attempts: borrowing UnitAttempts, _ body: UnitOfWorkBody<Result>
  ) async throws -> Result
}
