internal import PurchaseStorage

extension PurchaseStore {
  /// Writes what has to be kept although the task may have been cancelled, such as that a lease is given back.
  func writeDespiteCancellation<Result: Sendable>(
    _ body: @escaping UnitOfWorkBody<Result>
  ) async throws -> Result {
    // A task of its own isn't cancelled with its caller's.
    try await Task { try await write(body) }.value
  }
}
