internal import PurchaseStorage

/// The retry of a unit of work, with fresh reads, after a conflict about a unique key.
///
/// The store itself retries after deadlocks and serialization failures. Source: linking rules, section 2.1; credit
/// rules, section 3.
enum UniqueConflicts {
  /// Runs work, and runs it again after each conflict, at most so many times.
  ///
  /// - Throws: ``/PurchaseStorage/StorageFailure/duplicate(_:)`` if the conflict remains, or another error of the
  ///   work.
  static func retrying<Result: Sendable>(
    _ retries: Int = 3, _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    for _ in 0..<retries {
      do {
        return try await work()
      } catch StorageFailure.duplicate {}
    }
    return try await work()
  }
}
