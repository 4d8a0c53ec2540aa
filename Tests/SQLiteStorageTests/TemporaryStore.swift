import Foundation
import PurchaseStorage
import SQLStorage
import SQLiteStorage

/// A folder of its own, removed with all that is in it when the closure ends.
func withTemporaryFolder<Result>(
  _ body: nonisolated(nonsending) (_ path: String) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "storekeeper-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path() + "/purchases.sqlite")
}

/// A new store, and the path of its file.
func withStore<Result>(
  _ configuration: SQLiteConfiguration = SQLiteConfiguration(),
  _ body: nonisolated(nonsending) (_ store: SQLiteStore, _ path: String) async throws -> Result
) async throws -> Result {
  try await withTemporaryFolder { path in
    let store = try await SQLiteStore(
      path: path, capabilities: SQLCapability.all, configuration: configuration)
    let result = try await body(store, path)
    try await store.close()
    return result
  }
}

/// A connection beside the store, as another process has it.
func otherConnection(_ path: String, waiting: Duration = .seconds(5)) throws -> SQLiteConnection {
  var configuration = SQLiteConfiguration()
  configuration.busyTimeout = waiting
  return try SQLiteConnection(path: path, configuration: configuration)
}

typealias QueuedUnit = UnitOfWorkBody<Void>

extension SQLiteStore {
  /// Writes with each of these: the first waits until the others stand in line in this order, so that
  /// the first three share a transaction.
  ///
  /// - Returns: For each what failed.
  func writeTogether(
    _ units: [QueuedUnit], onFailure: @escaping @Sendable () async -> Void = {}
  ) async throws -> [StorageFailure?] {
    let (opened, open) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    var tasks: [Task<Void, any Error>] = []
    for (index, unit) in units.enumerated() {
      tasks.append(
        Task {
          do {
            try await write { records in
              if index == 0 {
                open.finish()
                for await _ in released {}
              }
              try await unit(records)
            }
          } catch {
            await onFailure()
            throw error
          }
        })
      if index == 0 { for await _ in opened {} }
      while waiting < index { await Task.yield() }
    }
    release.finish()
    var failures: [StorageFailure?] = []
    for task in tasks {
      do {
        try await task.value
        failures.append(nil)
      } catch let failure as StorageFailure {
        failures.append(failure)
      }
    }
    return failures
  }
}

/// A number that is known of a file.
func attribute(_ key: FileAttributeKey, of path: String) throws -> Int {
  let value = try FileManager.default.attributesOfItem(atPath: path)[key]
  // Foundation has an object that is any number, FoundationEssentials the type that it likes.
  return Int("\(value ?? "")") ?? -1
}
