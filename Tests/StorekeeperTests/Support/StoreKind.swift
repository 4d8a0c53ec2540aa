import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import MariaDBStorage
import PostgresStorage
import PurchaseStorage
import SQLStorage
import SQLiteStorage
import Testing

/// The stores that tests of the service run on.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite, postgres, mariadb

  /// The server's connection string, from `Tests/PostgreSQL/with-cluster`.
  static let server = ProcessInfo.processInfo.environment["STOREKEEPER_POSTGRES"]

  /// The URL of a database, from `Tests/MariaDB/with-server`.
  static let database = ProcessInfo.processInfo.environment["STOREKEEPER_MARIADB"]

  /// Those that `STOREKEEPER_SERVICES_ON` lists, or all but MariaDB, without those that have no server.
  ///
  /// The contract suites run on all of them in any case.
  static let available = allCases.filter {
    wanted.contains($0.rawValue) && ($0 != .postgres || server != nil)
      && ($0 != .mariadb || database != nil)
  }

  private static let wanted = Set(
    (ProcessInfo.processInfo.environment["STOREKEEPER_SERVICES_ON"] ?? "memory,sqlite,postgres")
      .split(separator: ",").map(String.init))

  /// An empty store of its own, which goes away afterwards.
  func withStore(
    _ body: nonisolated(nonsending) (any PurchaseStore) async throws -> Void
  ) async throws {
    let scope = StoreScope(kind: self)
    do {
      try await body(try await scope.open())
    } catch {
      try await scope.close()
      throw error
    }
    try await scope.close()
  }
}

/// Makes stores of a kind, and clears them away together.
final class StoreScope: Sendable {
  @TaskLocal static var current: StoreScope?
  /// Whether services write events; in a run with `STOREKEEPER_EVENTS` all do.
  @TaskLocal static var recordsEvents =
    ProcessInfo.processInfo.environment["STOREKEEPER_EVENTS"] != nil

  private static let schemas = TestSchemas(SQLCapability.all)
  private static let databases = TestMariaDBs()

  private let kind: StoreKind
  private let endings = Locked<[@Sendable () async throws -> Void]>([])

  init(kind: StoreKind) { self.kind = kind }

  /// A store of the kind that the test runs on; in memory where none is said.
  static func emptyStore() async throws -> any PurchaseStore {
    let store = try await current?.open() ?? InMemoryPurchaseStore()
    return recordsEvents ? EventStore(store, now: { ServiceScene.start }) : store
  }

  /// A store of subscriptions and credits, of the kind that the test runs on; in memory where none is
  /// said.
  static func emptyHostStore(_ faults: HostRecords.Faults) async throws -> any PurchaseStore {
    HostRecords.store(try await emptyStore(), faults)
  }

  /// Services for orders, memberships and entitlements on one empty store, of the kind that the test runs on; in
  /// memory where none is said.
  static func emptyPlayHost(_ parts: PlayHostParts) async throws -> PlayHost.Services {
    try parts.services(on: try await emptyStore())
  }

  /// As ``emptyPlayHost(_:)``, for a host whose products the App Store sells.
  static func emptyAppleHost(_ parts: AppleHostParts) async throws -> AppleHost.Services {
    try parts.services(on: try await emptyStore())
  }

  /// Plays random histories on the kind of store that the test runs on, or in memory.
  static func agreement(histories: Int, seed: UInt64) async throws -> Int {
    let store = try await emptyStore()
    return try await AgreementContract { store }.run(histories: histories, seed: seed)
  }

  func open() async throws -> any PurchaseStore {
    switch kind {
    case .memory:
      return InMemoryPurchaseStore()
    case .sqlite:
      let name = "test_" + UUID().uuidString.filter(\.isHexDigit).lowercased()
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var configuration = SQLiteConfiguration()
      configuration.waitLimit = .seconds(300)
      configuration.busyTimeout = .seconds(300)
      let store = try await SQLiteStore(
        path: folder.appendingPathComponent("store.sqlite").path,
        capabilities: SQLCapability.all, configuration: configuration)
      atEnd {
        try await store.close()
        try FileManager.default.removeItem(at: folder)
      }
      return store
    case .postgres:
      // Two hundred callers at once wait long on a slow machine, longer under a sanitizer.
      var configuration = PostgresStore.Configuration()
      configuration.connectionLimit = 8
      configuration.waitLimit = .seconds(300)
      configuration.lockLimit = .seconds(300)
      configuration.statementLimit = .seconds(300)
      configuration.reconnectLimit = .seconds(300)
      configuration.startLimit = .seconds(300)
      let (store, leave) = try await Self.schemas.store(configuration)
      atEnd(leave)
      return store
    case .mariadb:
      let (store, leave) = try await Self.databases.store()
      atEnd(leave)
      return store
    }
  }

  private func atEnd(_ ending: @escaping @Sendable () async throws -> Void) {
    endings.withLock { $0.append(ending) }
  }

  func close() async throws {
    for ending in endings.withLock({ $0 }) { try await ending() }
  }
}

/// Runs each test of a suite on every store.
struct OnEveryStore: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    for kind in StoreKind.available {
      let scope = StoreScope(kind: kind)
      try await StoreScope.$current.withValue(scope) { try await function() }
      try await scope.close()
    }
  }
}

extension Trait where Self == OnEveryStore {
  /// Each test runs on every store.
  static var onEveryStore: OnEveryStore { OnEveryStore() }
}
