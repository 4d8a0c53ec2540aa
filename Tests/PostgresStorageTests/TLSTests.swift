import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("TLS to PostgreSQL", .enabled(if: TestServer.isThere))
struct TLSTests {
  @Test("is spoken with the server that the connection string trusts, and with no other")
  func trust() async throws {
    try await TestServer.with { server in
      let connection = try await server.secure()
      let right = "\(connection) sslmode=verify-full sslrootcert=\(server.certificate)"
      let store = try PostgresStore(unmigrated: right, configuration: TestDatabase.patient)
      let isSecure = try await store.perform(.reading) {
        try await $0.run(
          """
          SELECT CASE WHEN ssl THEN 1 ELSE 0 END FROM pg_stat_ssl WHERE pid = pg_backend_pid()
          """)
      }
      #expect(isSecure == [[.integer(1)]])
      await store.close()

      let strange = "\(connection) sslmode=verify-full sslrootcert=\(server.strangersCertificate)"
      let otherName = "\(right) host=localhost hostaddr=127.0.0.1"
      for refused in [strange, otherName] {
        #expect(await failure(of: refused)?.mayHaveCommitted == false)
      }
      // The server wants TLS.
      let plain = await failure(of: "\(connection) sslmode=disable", within: .seconds(600))
      guard case .database(let code, _)? = plain else {
        Issue.record("another failure")
        return
      }
      #expect(code == Int("28000", radix: 36))
    }
  }

  /// Returns the failure of opening a store.
  private func failure(
    of connection: String, within limit: Duration = .milliseconds(50)
  ) async -> StorageFailure? {
    var configuration = PostgresStore.Configuration()
    configuration.startLimit = limit
    return await #expect(throws: StorageFailure.self) {
      try await PostgresStore(connection: connection, configuration: configuration)
    }
  }
}
