import Foundation

/// OpenSSL's test server on a free local port, which reports its requests.
final class TLSServer {
  private let process: Process
  private let output = Pipe()
  private var seen = ""
  private(set) var port = ""

  /// The kind of the files that it serves.
  enum Content: String {
    /// Bodies, such as that of `page`.
    case bodies = "-WWW"
    /// Whole responses over TLS 1.2, such as that of `answer`, which does not announce the
    /// connection's end.
    case answers = "-HTTP"
  }

  /// Starts the server and waits until it listens.
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

  /// The URL of its only page.
  var url: String { "https://127.0.0.1:\(port)/page" }

  /// Ends the server and returns its output: `FILE:page` for each request.
  @discardableResult func stop() -> String {
    // Killed, because the process inherits the blocked signals of the calling thread.
    kill(process.processIdentifier, SIGKILL)
    seen += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return seen
  }

  /// Reads the output up to the line with its address, such as `ACCEPT 127.0.0.1:40001`.
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
