internal import PurchaseStorage

/// Runs a unit of work again, with fresh reads, when another one took a unique key meanwhile.
///
/// Conflicts and deadlocks the store retries by itself.
///
/// Source: contract on linking, section 2.1.
enum UniqueConflicts {
  static let retries = 3

  /// - Throws: ``StorageFailure/duplicate(_:)`` if the conflict remains, or what the work throws.
  static func retrying<Result: Sendable>(
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    for _ in 0..<retries {
      do {
        return try await work()
      } catch StorageFailure.duplicate {}
    }
    return try await work()
  }
}
