import Foundation

/// A port of this machine whose connections nobody takes by itself.
struct LocalListener {
  let port: UInt16
  let descriptor: Int32

  private struct Refusal: Error {}

  init() throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isReady else { throw Refusal() }
    port = UInt16(bigEndian: address.sin_port)
    self.descriptor = descriptor
  }

  func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Takes one connection, says that it is a server without TLS, asks for the password itself, and returns all that it is
  /// told.
  ///
  /// Source: MariaDB, "Connection": the initial handshake, and the request to switch the plugin.
  func answerAsStranger() -> [UInt8] {
    let connection = accept(descriptor, nil, nil)
    guard connection >= 0 else { return [] }
    defer { close(connection) }
    let salt = [UInt8](repeating: 0x41, count: 8)
    // Protocol 41, long password, secure connection, names of plugins, a database; no TLS.
    let greeting =
      [10] + Array("10.11.6-MariaDB".utf8) + [0, 1, 0, 0, 0] + salt + [0]
      + [0x09, 0xA2, 45, 2, 0, 0x08, 0x00, 21] + [UInt8](repeating: 0, count: 10)
      + [UInt8](repeating: 0x42, count: 12) + [0] + Array("mysql_native_password".utf8) + [0]
    send(greeting, 0, to: connection)
    var heard = receive(from: connection)
    send([0xFE] + Array("mysql_clear_password".utf8) + [0], 2, to: connection)
    heard += receive(from: connection)
    return heard
  }

  private func send(_ body: [UInt8], _ number: UInt8, to connection: Int32) {
    let packet = [UInt8(body.count & 0xFF), UInt8(body.count >> 8), 0, number] + body
    _ = unsafe packet.withUnsafeBytes {
      unsafe Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  private func receive(from connection: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(connection, $0.baseAddress, $0.count, 0)
    }
    return Array(bytes.prefix(max(0, count)))
  }
}
