import Foundation
import Dispatch

/// A server of its own for a test that stops it or changes its settings.
struct TestServer: Sendable {
  private static let control = ProcessInfo.processInfo.environment[TestDatabase.controlVariable]
  static var isThere: Bool { control != nil }

  private struct CommandFailure: Error {
    let command: String
  }

  /// The folder of its socket.
  let folder: String
  let connection: String

  init(folder: String) async throws {
    self.folder = folder
    connection = try await Self.control("connection \(folder)")
  }

  /// Restarts it, `fast`, or `immediate`, which is a crash.
  func restart(_ mode: String) async throws {
    _ = try await Self.control("restart \(folder) \(mode)")
  }

  /// Restarts it with another setting.
  func set(_ setting: String) async throws {
    _ = try await Self.control("set \(folder) \(setting)")
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

  static func with(
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
  static func control(_ arguments: String) async throws -> String {
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
