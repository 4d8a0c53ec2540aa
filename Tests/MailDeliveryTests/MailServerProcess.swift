import Foundation
import StorekeeperLocks
import Testing

/// An SMTP server (aiosmtpd) in a process of its own, which notes each e-mail that it takes.
///
/// See `Tests/Mail/smtp_server.py` for its options and its recipients.
final class MailServerProcess: Sendable {
  /// An e-mail as the server took it.
  struct Mail: Decodable {
    var from: String
    var to: [String]
    var user: String?
    var tls: Bool
    /// The connection.
    var session: Int
    var content: String

    /// The lines of the header, unfolded.
    var fields: [String] {
      let head = content.split(separator: "\r\n\r\n", maxSplits: 1)[0]
      return head.replacing("\r\n ", with: " ").split(separator: "\r\n").map(String.init)
    }

    /// The content without the line breaks of the encoding (RFC 2045 section 6.7).
    var text: String { content.replacing("=\r\n", with: "") }

    func field(_ name: String) -> String? {
      fields.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }

  struct Failure: Error {
    let text: String
  }

  let port: UInt16
  let folder: String
  private let process: Process
  private let input: Pipe

  /// Starts a server with options of the script.
  convenience init(_ options: String...) throws { try self.init(list: options) }

  init(list options: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder.path
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments =
      [Self.script, "--log", "\(folder.path)/mails"]
      + options.map { $0.replacing("FOLDER", with: folder.path) }
    input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    if options.contains("--certificate") { try Self.makeCertificate(folder.path) }
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let word = line.split(whereSeparator: \.isWhitespace).last, let port = UInt16(word) else {
      throw Failure(text: "the mail server did not start; apt-get install python3-aiosmtpd")
    }
    self.port = port
  }

  deinit {
    // It keeps nothing that would have to be ended well.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The e-mails that were taken, in their order.
  var mails: [Mail] {
    get throws {
      // A handle, as Foundation's other ways leak memory when a file is still empty.
      guard let file = FileHandle(forReadingAtPath: "\(folder)/mails"),
        let data = try file.readToEnd()
      else { return [] }
      return try data.split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Mail.self, from: Data($0))
      }
    }
  }

  /// Stops the process, so that it keeps its connections and answers nothing, or lets it go on.
  func setStopped(_ isStopped: Bool) {
    _ = isStopped ? process.suspend() : process.resume()
  }

  private static var script: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Mail/smtp_server.py").path
  }

  /// Makes a certificate for 127.0.0.1 and localhost that is its own authority.
  private static func makeCertificate(_ folder: String) throws {
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
      "-keyout", "\(folder)/key.pem", "-out", "\(folder)/certificate.pem",
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    guard openssl.terminationStatus == 0 else { throw Failure(text: "openssl made no certificate") }
  }
}
