/// A store of purchases: units of work that are committed as a whole or not at all.
///
/// Laws for implementations; the contract suites of StorekeeperTesting check them:
/// - A unit of work sees nothing of others that are still running, and everything of those that were
///   committed.
/// - When the closure of ``write(_:)`` returns, all its changes are committed, durably as far as the
///   store is durable, before `write` returns. When it throws, none of them are, and `write` throws the
///   same error.
/// - Two units of work that conflict run one after the other, or the store runs one of them again from
///   the start (at most three times, then ``StorageFailure/conflict``). A closure may therefore run more
///   than once, and has no effect except through its records.
/// - ``StorageFailure/duplicate(_:)`` is thrown immediately. The caller decides whether to run again with
///   fresh reads.
/// - The records are used only inside the closure, by one task at a time. They never see a text that no row can have:
///   the ``UnitOfWork`` that a store makes of them checks all texts.
/// - A closure begins no other unit of work on the same store, neither to read nor to write: it might
///   wait for itself, and would see another state.
///
/// A store says which capabilities it has (``capabilities``), and its units of work show the records of
/// exactly those (``UnitOfWork``). A service is not made on a store that lacks what it needs.
public protocol PurchaseStore: Sendable {
  /// The capabilities whose records the database has.
  var capabilities: Set<StoreCapability> { get }

  /// Reads a consistent state.
  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result

  /// Reads and writes, all or nothing.
  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result

  /// Checks whether a write would be committed, for example whether the disk has room, and leaves
  /// nothing behind.
  ///
  /// For a server that is asked whether it is ready. The default begins and ends a unit of work that
  /// writes nothing.
  func tryWriting() async throws
}

/// The closure of a unit of work, which runs where its caller runs.
public typealias UnitOfWorkBody<Result> =
  nonisolated(nonsending) @Sendable (UnitOfWork) async throws -> Result

extension PurchaseStore {
  /// Begins and ends a unit of work that writes nothing.
  public func tryWriting() async throws { try await write { _ in } }
}

/// A capability whose records a store may have, beside those that all have in common.
public struct StoreCapability: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
  public let rawValue: String

  /// Creates a capability.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a capability.
  public init(stringLiteral name: String) { rawValue = name }

  public static let subscriptions: StoreCapability = "subscriptions"
  public static let credits: StoreCapability = "credits"
  public static let entitlements: StoreCapability = "entitlements"
  public static let orders: StoreCapability = "orders"
}

extension StoreCapability {
  public static let all: Set<StoreCapability> = [.subscriptions, .credits, .entitlements, .orders]
}
