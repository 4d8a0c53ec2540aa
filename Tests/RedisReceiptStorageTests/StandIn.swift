import Foundation

/// A socket that listens on a free port of this machine.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  let port: UInt16

  init() throws {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
  }

  deinit { close(descriptor) }
}

/// A server that greets like Redis and replies to everything else as a test says.
final class StandIn: Sendable {
  /// Writes a reply to the descriptor of a connection; false ends the connection.
  typealias Reply = @Sendable (Int32) -> Bool

  private let listening: ListeningSocket
  var port: UInt16 { listening.port }

  /// Starts a server that replies to every command after the greeting.
  init(_ reply: @escaping Reply) throws {
    let listening = try ListeningSocket()
    self.listening = listening
    let descriptor = listening.descriptor
    Thread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        Thread {
          Self.serve(connection, reply)
          close(connection)
        }.start()
      }
    }.start()
  }

  /// A server that writes a text in reply to every command, and waits.
  static func replying(_ text: String) throws -> StandIn {
    try StandIn { write(Array(text.utf8), to: $0) }
  }

  deinit { shutdown(listening.descriptor, Int32(SHUT_RDWR)) }

  private static func serve(_ connection: Int32, _ reply: Reply) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isGreeted = false
    while true {
      let count = unsafe recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      if !isGreeted, String(decoding: buffer[..<count], as: UTF8.self).contains("PING") {
        isGreeted = true
        guard write(Array("+PONG\r\n".utf8), to: connection) else { return }
      } else if !reply(connection) {
        return
      }
    }
  }

  /// Writes all bytes; false if the client has gone.
  static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { rest in
        unsafe send(connection, rest.baseAddress, rest.count, noSignal)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  #if canImport(Glibc)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let noSignal: Int32 = 0
  #endif
}

/// Sends a signal to a process, never to a group.
func sendSignal(_ process: Int32, _ number: Int32) {
  precondition(process > 1, "A process was not started.")
  kill(process, number)
}
