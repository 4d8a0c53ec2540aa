import PurchaseStorage
import SQLStorage
import SQLiteStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    let store = try await SQLiteStore(path: path, configuration: configuration)
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
