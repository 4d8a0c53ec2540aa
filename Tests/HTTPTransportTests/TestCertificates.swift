import Foundation

/// Certificates that OpenSSL's command created for this run.
final class TestCertificates: Sendable {
  /// The kind of a certificate.
  enum Kind: String, CaseIterable, Sendable {
    /// The authority of the next three.
    case authority
    /// For 127.0.0.1.
    case right
    /// For another name.
    case wrongName
    /// For 127.0.0.1, expired yesterday.
    case expired
    /// For 127.0.0.1, self-signed.
    case selfSigned
    /// For 127.0.0.1, by an unknown authority.
    case stranger
  }

  private let folder: URL

  /// Creates all certificates.
  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("hi".utf8).write(to: folder.appending(path: "page"))
    try Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)
      .write(to: folder.appending(path: "answer"))
    for kind in Kind.allCases { try make(kind) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The file with a certificate in PEM.
  func path(_ kind: Kind) -> String { folder.appending(path: "\(kind.rawValue).pem").path }

  /// The file with its key in PEM.
  func keyPath(_ kind: Kind) -> String { folder.appending(path: "\(kind.rawValue).key").path }

  /// The folder of a server's files.
  var pages: URL { folder }

  private func make(_ kind: Kind) throws {
    let request = [
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-subj", "/CN=\(kind.rawValue)", "-keyout", keyPath(kind),
      "-addext", "subjectAltName=\(kind == .wrongName ? "DNS:localhost" : "IP:127.0.0.1")",
    ]
    switch kind {
    case .authority, .selfSigned, .stranger:
      try OpenSSLCommand.run(request + ["-x509", "-days", "2", "-out", path(kind)])
    case .right, .wrongName, .expired:
      let file = folder.appending(path: "\(kind.rawValue).csr").path
      try OpenSSLCommand.run(request + ["-out", file])
      try OpenSSLCommand.run([
        "x509", "-req", "-in", file, "-copy_extensions", "copyall", "-out", path(kind),
        "-CA", path(.authority), "-CAkey", keyPath(.authority),
        "-days", kind == .expired ? "-1" : "2",
      ])
    }
  }
}

/// OpenSSL's command.
enum OpenSSLCommand {
  struct Failed: Error {
    let arguments: [String]
    let output: String
  }

  /// Creates a process that is not started yet.
  static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Runs the process to its end.
  static func run(_ arguments: [String]) throws {
    let process = process(arguments)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(arguments: arguments, output: String(decoding: bytes, as: UTF8.self))
    }
  }
}
