import Foundation
import PurchaseStorage
import RedisReceiptStorage
import StorekeeperFixtures
import Testing

@Suite("Receipts in Redis over TLS", .timeLimit(.minutes(30)))
struct TLSTests {
  @Test("are kept on a server with a certificate of a trusted authority for its name")
  func trusted() async throws {
    let server = try await RedisServer(tlsFolder: try certificates(for: "localhost"))
    let store = store(server, trusting: server.folder.path("authority.pem"))
    let receipt = String(repeating: "QUJD", count: 2 << 20)
    try await store.put(receipt)
    #expect(try await store.receipt()?.receipt == receipt)
    try await store.remove()
    #expect(try await store.receipt() == nil)
  }

  @Test("are refused by a server of another authority, name or none, before anything is sent")
  func untrusted() async throws {
    let server = try await RedisServer(tlsFolder: try certificates(for: "localhost"))
    let file = server.folder.path("authority.pem")
    let other = try certificates(for: "localhost")
    for store in [
      store(server, trusting: other.path("authority.pem")), store(server, trusting: nil),
      store(server, trusting: file, host: "127.0.0.1"),
      store(server, trusting: server.folder.path("none.pem")),
    ] {
      #expect(try await failure { try await store.put("MIIB") } == .untrustedServer)
      #expect(try await failure { _ = try await store.receipt() } == .untrustedServer)
    }
    #expect(try server.command("DBSIZE") == "0")
    #expect(try await store(server, trusting: file).receipt() == nil)
  }

  @Test("need TLS on both sides")
  func mixed() async throws {
    let server = try await RedisServer()
    let encrypted = server.store { $0.usesTLS = true }
    #expect(try await failure { _ = try await encrypted.receipt() } == .notConnected)
    let other = try await RedisServer(tlsFolder: try certificates(for: "localhost"))
    let plain = try #require(try await failure { _ = try await other.store().receipt() })
    #expect([.notConnected, .malformedReply].contains(plain))
  }

  @Test("come back after the server was away")
  func restart() async throws {
    let server = try await RedisServer(tlsFolder: try certificates(for: "localhost"))
    let store = store(server, trusting: server.folder.path("authority.pem"))
    try await store.put("MIIB")
    server.kill()
    try await until { try await failure { _ = try await store.receipt() } != nil }
    try await server.start()
    #expect(try await untilItWorks { try await store.receipt() } == nil)
  }

  private func store(
    _ server: RedisServer, trusting file: String?, host: String = "localhost"
  ) -> RedisReceiptStore {
    server.store {
      $0.host = host
      $0.usesTLS = true
      $0.certificateAuthorityFile = file
    }
  }

  /// A folder with an authority, and a server's certificate and key.
  private func certificates(for name: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try openssl(
      ["req", "-x509"] + key + [
        "-subj", "/CN=Authority", "-days", "2", "-keyout", folder.path("authority.key"),
        "-out", folder.path("authority.pem"),
      ])
    try openssl(
      ["req"] + key + [
        "-subj", "/CN=\(name)", "-keyout", folder.path("server.key"),
        "-out", folder.path("server.csr"),
      ])
    try Data("subjectAltName=DNS:\(name)\n".utf8).write(
      to: folder.url.appendingPathComponent("names"))
    try openssl([
      "x509", "-req", "-in", folder.path("server.csr"), "-CA", folder.path("authority.pem"),
      "-CAkey", folder.path("authority.key"), "-CAcreateserial", "-days", "2",
      "-extfile", folder.path("names"), "-out", folder.path("server.pem"),
    ])
    return folder
  }

  private func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw RedisServer.Failure(description: "openssl \(arguments[0]) failed")
    }
  }
}
