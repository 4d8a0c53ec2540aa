import PostgresStorage
import SQLStorage
import Testing

@Suite("Settings of a session in PostgreSQL", .enabled(if: TestDatabase.isThere))
struct SessionSettingTests {
  private func setting(
    _ name: String, connectingWith text: String,
    _ change: (inout PostgresStore.Configuration) -> Void = { _ in }
  ) async throws -> [SQLRow] {
    let server = try #require(TestDatabase.server)
    var configuration = TestDatabase.patient
    change(&configuration)
    let store = try PostgresStore(unmigrated: "\(server) \(text)", configuration: configuration)
    let rows = try await store.perform(.reading) {
      try await $0.run("SELECT current_setting($1)", .text(name))
    }
    await store.close()
    return rows
  }

  @Test(
    "a commit waits until it is on the disk, whatever the server's setting is",
    arguments: [
      ("off", "on"), ("local", "on"), ("on", "on"), ("remote_write", "on"),
      ("remote_apply", "remote_apply"),
    ])
  func durableCommit(given: String, used: String) async throws {
    let rows = try await setting(
      "synchronous_commit", connectingWith: "options=-csynchronous_commit=\(given)")
    #expect(rows == [[.text(used)]])
  }

  @Test("unless the configuration leaves it to the server")
  func serversCommit() async throws {
    let rows = try await setting(
      "synchronous_commit", connectingWith: "options=-csynchronous_commit=off"
    ) { $0.waitsForDisk = false }
    #expect(rows == [[.text("off")]])
  }

  @Test("the server warns of a commit that no standby confirmed, whatever its setting is")
  func warnings() async throws {
    let rows = try await setting(
      "client_min_messages", connectingWith: "options=-cclient_min_messages=error")
    #expect(rows == [[.text("warning")]])
  }

  @Test(
    "texts go as UTF-8, whatever the connection string says",
    arguments: ["client_encoding=LATIN1", "options=-cclient_encoding=LATIN1"])
  func encoding(text: String) async throws {
    #expect(try await setting("client_encoding", connectingWith: text) == [[.text("UTF8")]])
  }
}
