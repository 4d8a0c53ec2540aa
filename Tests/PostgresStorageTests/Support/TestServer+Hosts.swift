import PostgresStorage
import SQLStorage

// Servers beside each other, whose settings change while they run.
extension TestServer {
  /// Changes a setting, and waits until it holds for new connections.
  func set(_ setting: String, to value: String) async throws {
    _ = try await Self.control("set \(folder) \(setting) '\(value)'")
    var found: [SQLRow] = []
    while found != [[.text(value)]] {
      let store = try PostgresStore(unmigrated: connection, configuration: TestDatabase.patient)
      found = try await store.perform(.reading) {
        try await $0.run("SELECT current_setting('\(setting)')")
      }
      await store.close()
    }
  }

  /// Runs a test with a standby of it.
  func withStandby(_ test: (TestServer) async throws -> Void) async throws {
    try await Self.with(TestServer(folder: try await Self.control("standby \(folder)")), test)
  }

  /// Starts a pooler before it, which lends sessions for a connection or for a `transaction`.
  ///
  /// - Returns: The pooler's connection string.
  func pool(_ mode: String) async throws -> String {
    try await Self.control("pool \(folder) \(mode)")
  }
}
