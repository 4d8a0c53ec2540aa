import Foundation
import MariaDBStorage
import PurchaseStorage
import SQLStorage
import StorekeeperLocks
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
    "a password goes to nobody who has not shown who they are", arguments: ["required", "disabled"])
  func askedForPassword(security: String) async throws {
    let listener = try LocalListener()
    // It waits for bytes, for which no thread of Swift's should.
    let heard = Heard()
    Thread.detachNewThread { heard.bytes = listener.answerAsStranger() }
    let place = "127.0.0.1:\(listener.port)/storekeeper"
    let failure = await failure(
      of: "mysql://storekeeper:hunter2-secret@\(place)?tls=\(security)", within: .seconds(20))
    listener.end()
    while heard.bytes == nil { try await Task.sleep(for: .milliseconds(1)) }
    let told = heard.bytes ?? []
    #expect(!told.isEmpty)
    #expect(!String(decoding: told, as: UTF8.self).contains("hunter2"))
    guard case .database(_, let detail)? = failure else {
      Issue.record("another failure: \(String(describing: failure))")
      return
    }
    #expect(detail.contains("needs tls=verify-identity"))
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
  private func failure(
    of url: String, within limit: Duration = .milliseconds(50)
  ) async -> StorageFailure? {
    var configuration = MariaDBStore.Configuration()
    configuration.startLimit = limit
    return await #expect(throws: StorageFailure.self) {
      try await MariaDBStore(url: url, configuration: configuration)
    }
  }
}

/// The bytes that a listener was sent, once it has ended.
private final class Heard: Sendable {
  private let state = Locked<[UInt8]?>(nil)

  var bytes: [UInt8]? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
