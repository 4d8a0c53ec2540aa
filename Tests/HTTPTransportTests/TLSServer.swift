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
  private(set) var port = ""

  /// What its files are.
  enum Content: String {
    /// Bodies, such as that of `page`.
    case bodies = "-WWW"
    /// Whole answers over TLS 1.2, such as that of `answer`, which says nothing of the connection's
    /// end.
    case answers = "-HTTP"
  }

  /// Starts it and waits until it listens.
  init(
    _ certificates: TestCertificates, _ kind: TestCertificates.Kind, _ content: Content = .bodies
  ) throws {
    process = OpenSSLCommand.process(
      [
        "s_server", "-accept", "127.0.0.1:0", content.rawValue,
        "-cert", certificates.path(kind), "-key", certificates.keyPath(kind),
      ] + (content == .answers ? ["-tls1_2"] : []))
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
