import MariaDBStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("TLS to MariaDB", .enabled(if: TestServer.isThere))
struct TLSTests {
  @Test("is spoken with the server that the URL trusts, and with no other")
  func trust() async throws {
    try await TestServer.with { server in
      let url = try await server.secure()
      let (own, strange) = (server.certificate, server.strangersCertificate)
      for options in [
        "?tls=verify-identity&ca=\(own)", "?tls=verify-ca&ca=\(own)", "?tls=required",
      ] {
        #expect(try await cipher(of: url + options) != "", "\(options)")
      }
      #expect(try await cipher(of: url + "?tls=disabled") == "")
      let otherName = url.replacing("127.0.0.1", with: "localhost")
      for refused in [
        "\(url)?tls=verify-identity&ca=\(strange)", "\(url)?tls=verify-ca&ca=\(strange)",
        "\(url)?tls=verify-identity", "\(otherName)?tls=verify-identity&ca=\(own)",
      ] {
        #expect(await failure(of: refused)?.mayHaveCommitted == false, "\(refused)")
      }
      #expect(try await cipher(of: "\(otherName)?tls=verify-ca&ca=\(own)") != "")
    }
  }

  @Test("a server without TLS is refused where TLS is required", .enabled(if: TestDatabase.isThere))
  func withoutTLS() async throws {
    let url = TestDatabase.server ?? ""
    #expect(await failure(of: "\(url)&tls=required")?.mayHaveCommitted == false)
  }

  @Test(
    "a password goes to nobody who has not shown who they are",
    arguments: ["verify-ca", "required", "disabled"])
  func askedForPassword(security: String) async throws {
    let listener = try LocalListener()
    let stranger = Task.detached { listener.answerAsStranger() }
    let place = "127.0.0.1:\(listener.port)/storekeeper"
    _ = await failure(of: "mysql://storekeeper:hunter2-secret@\(place)?tls=\(security)")
    listener.end()
    let heard = await stranger.value
    #expect(!String(decoding: heard, as: UTF8.self).contains("hunter2"))
  }

  private func cipher(of url: String) async throws -> String {
    let store = try MariaDBStore(unmigrated: url, configuration: TestDatabase.patient)
    let rows = try await store.perform(.reading) {
      try await $0.run(
        """
        SELECT variable_value FROM information_schema.session_status
        WHERE variable_name = 'SSL_CIPHER'
        """)
    }
    await store.close()
    guard case .text(let cipher)? = rows.first?.first else { return "?" }
    return cipher
  }

  /// Returns the failure of opening a store.
  private func failure(of url: String) async -> StorageFailure? {
    var configuration = MariaDBStore.Configuration()
    configuration.startLimit = .milliseconds(50)
    return await #expect(throws: StorageFailure.self) {
      try await MariaDBStore(url: url, configuration: configuration)
    }
  }
}
