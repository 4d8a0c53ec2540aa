import PurchaseStorage
import Testing

/// A store that must not be asked.
struct UnreachableStore: PurchaseStore {
  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    Issue.record("the store was asked to read")
    throw StorageFailure.conflict
  }

  func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    Issue.record("the store was asked to write")
    throw StorageFailure.conflict
  }
}
