public import PurchaseStorage

/// A store each of whose units of work passes through a closure, for tests of failures.
///
/// ```swift
/// let broken = WrappedStore(store) { access, unit in
///   if access == .writing { throw StorageFailure.conflict }
///   try await unit()
/// }
/// ```
///
/// To change the records that a unit of work sees, use
/// ``/PurchaseStorage/PurchaseStore/narrowed(_:)``.
public struct WrappedStore<Records>: PurchaseStore {
  /// The kind of a unit of work.
  public enum Access: Hashable, Sendable {
    /// The unit of work only reads.
    case reading
    /// The unit of work reads and writes.
    case writing
  }

  /// Runs a unit of work.
  public typealias Unit = nonisolated(nonsending) () async throws -> Void

  private let base: any PurchaseStore<Records>
  private let around: nonisolated(nonsending) @Sendable (Access, Unit) async throws -> Void

  /// Creates a store on another one.
  ///
  /// - Parameters:
  ///   - base: The store that runs the units of work.
  ///   - around: Runs a unit of work at most once, or throws.
  public init(
    _ base: any PurchaseStore<Records>,
    around: nonisolated(nonsending) @escaping @Sendable (Access, Unit) async throws -> Void
  ) {
    self.base = base
    self.around = around
  }

  /// Reads through the closure.
  ///
  /// - Parameter body: The closure of the unit of work.
  /// - Returns: The closure's result.
  /// - Throws: The error of either closure, or of the store.
  public func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (Records) async throws -> Result
  ) async throws -> Result {
    try await run(.reading) { try await base.read(body) }
  }

  /// Writes through the closure.
  ///
  /// - Parameter body: The closure of the unit of work.
  /// - Returns: The closure's result.
  /// - Throws: The error of either closure, or of the store.
  public func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (Records) async throws -> Result
  ) async throws -> Result {
    try await run(.writing) { try await base.write(body) }
  }

  private func run<Result: Sendable>(
    _ access: Access, _ unit: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    var result: Result?
    try await around(access) { result = try await unit() }
    guard let result else {
      throw StorageFailure.database(code: 0, detail: "the unit of work was not run")
    }
    return result
  }
}
