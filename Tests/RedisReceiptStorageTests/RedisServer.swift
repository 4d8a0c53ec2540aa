import Foundation
import StorekeeperFixtures
import StorekeeperLocks

/// A `redis-server` of its own on this machine, without persistence, which ends with the last
/// reference.
final class RedisServer: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let port: UInt16
  let folder: TemporaryFolder
  private let options: [String]
  private let process = Locked<Process?>(nil)

  /// Starts a server on a free port and waits until it replies.
  init(_ options: [String] = [], tlsFolder: TemporaryFolder? = nil) async throws {
    folder = try tlsFolder ?? TemporaryFolder()
    port = try Self.freePort()
    let addresses =
      tlsFolder == nil
      ? ["--port", "\(port)"]
      : [
        "--port", "0", "--tls-port", "\(port)", "--tls-cert-file", folder.path("server.pem"),
        "--tls-key-file", folder.path("server.key"), "--tls-ca-cert-file",
        folder.path("authority.pem"), "--tls-auth-clients", "no",
      ]
    self.options =
      addresses + [
        "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder.url.path,
        "--unixsocket", folder.path("socket"), "--daemonize", "no",
      ] + options
    try await start()
  }

  deinit { kill() }

  /// Starts the server again, empty, on the same port.
  func start() async throws {
    let process = Process()
    process.executableURL = try Self.program("redis-server")
    process.arguments = options
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process.withLock { $0 = process }
    while true {
      guard process.isRunning else {
        throw Failure(description: "redis-server ended with status \(process.terminationStatus)")
      }
      // The socket needs no TLS; a server with a password replies NOAUTH.
      if let reply = try? command("PING"), reply.hasPrefix("PONG") || reply.hasPrefix("NOAUTH") {
        return
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Kills the server and waits for its end.
  func kill() {
    guard let process = process.withLock({ $0.take() }) else { return }
    if process.isRunning { sendSignal(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Stops the process, which keeps its connections, until ``goOn()``.
  func stop() { signal(SIGSTOP) }

  func goOn() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    process.withLock { process in
      if let process { sendSignal(process.processIdentifier, number) }
    }
  }

  /// Runs a command with redis-cli; returns what it prints, without the line break at the end.
  @discardableResult
  func command(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = try Self.program("redis-cli")
    process.arguments = ["-s", folder.path("socket")] + arguments
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private static func program(_ name: String) throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    for folder in path.split(separator: ":") + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"] {
      let file = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: file) { return URL(fileURLWithPath: file) }
    }
    throw Failure(
      description: "\(name) is missing, which these tests need: apt-get install redis-server")
  }

  private static func freePort() throws -> UInt16 { try ListeningSocket().port }
}
