package import JWSVerifier
public import PurchaseStorage
package import Storekeeper

/// A store each of whose units of work passes through a closure, or sees other records, for tests of failures.
///
/// ```swift
/// let broken = WrappedStore(store) { access, unit in
///   if access == .writing { throw StorageFailure.conflict }
///   try await unit()
/// }
/// ```
///
/// ```swift
/// let forgetful = WrappedStore(store, showing: { unit in
///   var unit = unit
///   unit.orders = ForgetfulOrders(base: unit.orders)
///   return unit
/// })
/// ```
public struct WrappedStore: PurchaseStore {
  /// The kind of a unit of work.
  public enum Access: Hashable, Sendable {
    /// The unit of work only reads.
    case reading
    /// The unit of work reads and writes.
    case writing
  }

  /// Runs a unit of work.
  public typealias Unit = nonisolated(nonsending) () async throws -> Void

  private let base: any PurchaseStore
  private let around: nonisolated(nonsending) @Sendable (Access, Unit) async throws -> Void
  private let showing: @Sendable (UnitOfWork) throws -> UnitOfWork

  /// The capabilities of the store that runs the units of work.
  public var capabilities: Set<StoreCapability> { base.capabilities }

  /// Creates a store on another one.
  ///
  /// - Parameters:
  ///   - base: The store that runs the units of work.
  ///   - around: Runs a unit of work at most once, or throws.
  public init(
    _ base: any PurchaseStore,
    around: nonisolated(nonsending) @escaping @Sendable (Access, Unit) async throws -> Void
  ) {
    self.base = base
    self.around = around
    showing = { $0 }
  }

  /// Creates a store that shows other records of another one.
  ///
  /// - Parameters:
  ///   - base: The store that runs the units of work.
  ///   - showing: Makes the unit of work that a closure sees of that of the store.
  public init(
    _ base: any PurchaseStore, showing: @escaping @Sendable (UnitOfWork) throws -> UnitOfWork
  ) {
    self.base = base
    around = { _, unit in try await unit() }
    self.showing = showing
  }

  /// Reads through the closure.
  ///
  /// - Parameter body: The closure of the unit of work.
  /// - Returns: The closure's result.
  /// - Throws: The error of either closure, or of the store.
  public func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (UnitOfWork) async throws -> Result
  ) async throws -> Result {
    try await run(.reading) { try await base.read { try await body(try showing($0)) } }
  }

  /// Writes through the closure.
  ///
  /// - Parameter body: The closure of the unit of work.
  /// - Returns: The closure's result.
  /// - Throws: The error of either closure, or of the store.
  public func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (UnitOfWork) async throws -> Result
  ) async throws -> Result {
    try await run(.writing) { try await base.write { try await body(try showing($0)) } }
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

extension PurchaseContext {
  /// Returns the context with another verifier.
  package func with(verifier: SignedDataVerifier?) -> PurchaseContext {
    var context = self
    context.verifier = verifier
    return context
  }
}
