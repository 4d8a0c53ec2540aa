public import PurchaseStorage

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
///   unit.orders = unit.orders.map { ForgetfulOrders(base: $0) }
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

  public let capabilities: Set<StoreCapability>

  private let base: any PurchaseStore
  private let around: nonisolated(nonsending) @Sendable (Access, Unit) async throws -> Void
  private let showing: @Sendable (UnitOfWork) throws -> UnitOfWork

  /// Creates a store on another one.
  ///
  /// `around` runs a unit of work at most once, or throws.
  public init(
    _ base: any PurchaseStore,
    around: nonisolated(nonsending) @escaping @Sendable (Access, Unit) async throws -> Void
  ) {
    self.base = base
    capabilities = base.capabilities
    self.around = around
    showing = { $0 }
  }

  /// Creates a store that shows other records of another one.
  ///
  /// Of the capabilities only these are shown; nil for all.
  public init(
    _ base: any PurchaseStore, capabilities: Set<StoreCapability>? = nil,
    showing: @escaping @Sendable (UnitOfWork) throws -> UnitOfWork = { $0 }
  ) {
    self.base = base
    self.capabilities = capabilities ?? base.capabilities
    around = { _, unit in try await unit() }
    guard let capabilities else {
      self.showing = showing
      return
    }
    self.showing = { unit in
      var unit = try showing(unit)
      if !capabilities.contains(.subscriptions) { unit.subscriptions = nil }
      if !capabilities.contains(.credits) { unit.credits = nil }
      if !capabilities.contains(.entitlements) { unit.entitlements = nil }
      if !capabilities.contains(.orders) { unit.orders = nil }
      return unit
    }
  }

  /// Reads through the closure.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await run(.reading) { try await base.read { try await body(try showing($0)) } }
  }

  /// Writes through the closure.
  public func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
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
