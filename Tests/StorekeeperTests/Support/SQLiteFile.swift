import Foundation
import SQLStorage
import SQLiteStorage

/// Does something with a new store, and the path of its file.
func withSQLiteFile(
  _ capabilities: Set<SQLCapability>,
  _ configuration: SQLiteConfiguration = SQLiteConfiguration(),
  _ body: nonisolated(nonsending) (_ store: SQLiteStore, _ path: String) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "storekeeper-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let path = folder.path() + "/purchases.sqlite"
  let store = try await SQLiteStore(
    path: path, capabilities: capabilities, configuration: configuration)
  try await body(store, path)
  try await store.close()
}
