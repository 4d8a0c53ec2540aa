import Foundation

/// A server at a port of this machine that speaks the protocol of MySQL, says what version it is, and does nothing
/// else.
///
/// Source: MySQL, "Client/Server Protocol".
final class OtherServer: Sendable {
  private let listener: LocalListener
  private let version: String

  var port: UInt16 { listener.port }

  init(version: String) throws {
    self.version = version
    listener = try LocalListener()
    Thread.detachNewThread { [self] in takeConnections() }
  }

  /// Takes no more connections.
  func end() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

  private func takeConnections() {
    while true {
      let client = accept(listener.descriptor, nil, nil)
      guard client >= 0 else { break }
      Thread.detachNewThread { [self] in serve(client) }
    }
    listener.end()
  }

  private func serve(_ client: Int32) {
    defer { close(client) }
    send([greeting], after: 255, to: client)
    guard let answer = packet(from: client) else { return }
    send([Self.ok], after: answer.number, to: client)
    while let command = packet(from: client), let answers = answers(to: command.bytes) {
      send(answers, after: command.number, to: client)
    }
  }

  /// The answers to a command; nil at the end.
  private func answers(to command: [UInt8]) -> [[UInt8]]? {
    switch command.first {
    // COM_QUIT.
    case 0x01: nil
    // COM_STMT_PREPARE: one column, no parameters.
    case 0x16: [[0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], Self.column, Self.end]
    // COM_STMT_EXECUTE: one row.
    case 0x17: [[1], Self.column, Self.end, row, Self.end]
    // COM_STMT_CLOSE.
    case 0x19: []
    default: [Self.ok]
    }
  }

  /// CLIENT_MYSQL, CLIENT_CONNECT_WITH_DB, CLIENT_PROTOCOL_41, CLIENT_TRANSACTIONS, CLIENT_SECURE_CONNECTION and
  /// CLIENT_PLUGIN_AUTH; 20 bytes for the password.
  private var greeting: [UInt8] {
    var bytes: [UInt8] = [10]
    bytes += version.utf8
    bytes += [0, 7, 0, 0, 0]
    bytes += Self.salt.prefix(8)
    bytes += [0, 0x09, 0xA2, 0xFF, 2, 0, 0x08, 0, 21]
    bytes += [UInt8](repeating: 0, count: 10)
    bytes += Self.salt.dropFirst(8)
    bytes += [0]
    bytes += "mysql_native_password".utf8
    bytes += [0]
    return bytes
  }

  private static let salt = [UInt8](repeating: 65, count: 20)
  private var row: [UInt8] { [0, 0] + Self.text(version) }

  private static let ok: [UInt8] = [0, 0, 0, 2, 0, 0, 0]
  private static let end: [UInt8] = [0xFE, 0, 0, 2, 0]
  /// Of variable length, in utf8mb4.
  private static let column: [UInt8] = {
    let names: [UInt8] = ["def", "", "", "", "VERSION()", ""].flatMap { text($0) }
    return names + [12, 45, 0, 60, 0, 0, 0, 0xFD, 0, 0, 0, 0, 0]
  }()

  private static func text(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private func packet(from client: Int32) -> (number: UInt8, bytes: [UInt8])? {
    guard let head = bytes(4, from: client) else { return nil }
    let count = Int(head[0]) | Int(head[1]) << 8 | Int(head[2]) << 16
    return bytes(count, from: client).map { (head[3], $0) }
  }

  private func bytes(_ count: Int, from client: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var part = [UInt8](repeating: 0, count: count - bytes.count)
      let length = unsafe read(client, &part, part.count)
      guard length > 0 else { return nil }
      bytes += part[..<length]
    }
    return bytes
  }

  private func send(_ packets: [[UInt8]], after number: UInt8, to client: Int32) {
    var (number, bytes) = (number, [UInt8]())
    for packet in packets {
      number &+= 1
      bytes += [UInt8(packet.count), 0, 0, number]
      bytes += packet
    }
    _ = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Foundation.send(client, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }
}
