import Foundation
import Dispatch
import PostgresStorage
import SQLStorage

/// A server of its own for a test that stops it or changes its settings.
struct TestServer: Sendable {
  private static let control =
    ProcessInfo.processInfo.environment["STOREKEEPER_POSTGRES_CONTROL"]
  static var isThere: Bool { control != nil }

  private struct CommandFailure: Error {
    let command: String
  }

  /// The folder of its socket.
  let folder: String
  let connection: String

  private init(folder: String) async throws {
    self.folder = folder
    connection = try await Self.control("connection \(folder)")
  }

  /// Restarts it, `fast`, or `immediate`, which is a crash.
  func restart(_ mode: String) async throws {
    _ = try await Self.control("restart \(folder) \(mode)")
  }

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

  /// Restarts it with TLS.
  ///
  /// - Returns: A connection string without what is trusted.
  func secure() async throws -> String { try await Self.control("secure \(folder)") }

  /// The certificate that it has then.
  var certificate: String { "\(folder)/server.crt" }
  /// The certificate of another.
  var strangersCertificate: String { "\(folder)/stranger.crt" }

  /// Makes a server for the length of a test.
  static func with(_ test: (TestServer) async throws -> Void) async throws {
    try await with(TestServer(folder: try await control("create")), test)
  }

  private static func with(
    _ server: TestServer, _ test: (TestServer) async throws -> Void
  ) async throws {
    do {
      try await test(server)
    } catch {
      _ = try await control("remove \(server.folder)")
      throw error
    }
    _ = try await control("remove \(server.folder)")
  }

  /// Returns the output of the control script, which runs beside Swift's threads, because the load needs
  /// those.
  private static func control(_ arguments: String) async throws -> String {
    try await withCheckedThrowingContinuation { caller in
      DispatchQueue.global().async { caller.resume(with: Result { try run(arguments) }) }
    }
  }

  private static func run(_ arguments: String) throws -> String {
    let command = "\(control ?? "false") \(arguments)"
    guard let output = unsafe popen(command, "r") else { throw CommandFailure(command: command) }
    var text = ""
    while let line = unsafe readLine(from: output) { text += line }
    guard unsafe pclose(output) == 0 else { throw CommandFailure(command: command) }
    return text.split(separator: "\n").joined()
  }

  private static func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
    var buffer = [CChar](repeating: 0, count: 1024)
    guard unsafe fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
