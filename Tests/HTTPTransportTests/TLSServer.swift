import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// OpenSSL's own server on a free port of this computer, which says what it was asked for.
final class TLSServer {
  private let process: Process
  private let output = Pipe()
  private var seen = ""
  private var port = ""

  /// Starts it and waits until it listens.
  init(_ certificates: TestCertificates, _ kind: TestCertificates.Kind) throws {
    process = OpenSSLCommand.process([
      "s_server", "-accept", "127.0.0.1:0", "-WWW",
      "-cert", certificates.path(kind), "-key", certificates.keyPath(kind),
    ])
    process.currentDirectoryURL = certificates.pages
    process.standardOutput = output
    process.standardError = output
    try process.run()
    while port.isEmpty { try readPort() }
  }

  deinit { stop() }

  /// The address of its one page.
  var url: String { "https://127.0.0.1:\(port)/page" }

  /// Ends it, and gives what it said: `FILE:page` for each request.
  @discardableResult func stop() -> String {
    // Not terminated, for the process inherits what signals the calling thread blocks.
    kill(process.processIdentifier, SIGKILL)
    seen += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return seen
  }

  /// Reads on until it says where it listens, such as `ACCEPT 127.0.0.1:40001`.
  private func readPort() throws {
    let bytes = output.fileHandleForReading.availableData
    guard !bytes.isEmpty else {
      throw OpenSSLCommand.Failed(arguments: ["s_server"], output: seen)
    }
    seen += String(decoding: bytes, as: UTF8.self)
    let lines = seen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    guard let line = lines.last(where: { $0.hasPrefix("ACCEPT ") }) else { return }
    port = String(line.split(separator: ":").last ?? "")
  }
}
