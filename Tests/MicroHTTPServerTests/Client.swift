import Dispatch
import Foundation
import StorekeeperLocks
import Testing

/// A client on a socket that sends any bytes, including malformed requests.
///
/// It blocks threads of its own, so that the server under test has those of Swift's tasks.
final class Client: Sendable {
  struct Broken: Error {}

  private let socket: Int32
  private let isOpen = Locked(true)
  private let sending = DispatchQueue(label: "sending")
  private let receiving = DispatchQueue(label: "receiving")
  private let buffer = Locked<[UInt8]>([])

  /// Creates a client with a loopback address: 127.0.0.1, or a following one.
  init(port: UInt16, from number: UInt32 = 1) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard unsafe Self.call(bind, socket, address: number, port: 0) == 0 else { throw Broken() }
    // A test that would wait for ever fails instead.
    var patience = timeval(tv_sec: 600, tv_usec: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard unsafe Self.call(connect, socket, address: 1, port: port) == 0 else { throw Broken() }
  }

  /// Calls `bind` or `connect` with a loopback address.
  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ socket: Int32,
    address number: UInt32, port: UInt16
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (0x7F00_0000 + number).bigEndian
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { end() }

  private func end() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { close(socket) }
  }

  /// Sends a text.
  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws {
    let isSent = await on(sending) { [socket] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    guard isSent else { throw Broken() }
  }

  /// Closes the sending side; reading goes on.
  func endSending() {
    let sending: Int32 = 1  // SHUT_WR
    shutdown(socket, sending)
  }

  /// Resets the connection, so that the server's next write fails.
  func disappear() {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    end()
  }

  /// Returns the next answer.
  func answer(toHead isToHead: Bool = false) async throws -> Answer {
    while true {
      let answer = try buffer.withLock { try Answer(takingFrom: &$0, isToHead: isToHead) }
      if let answer { return answer }
      guard try await receive() else { throw Broken() }
    }
  }

  /// The received bytes that are not a complete answer.
  var rest: [UInt8] { buffer.withLock { $0 } }

  /// Waits for the first bytes of an answer.
  func firstBytes() async { _ = try? await receive() }

  /// Whether the server ends the connection without another byte.
  func ends() async throws -> Bool {
    guard buffer.withLock(\.isEmpty) else { return false }
    do {
      return try await !receive()
    } catch is Reset {
      return true
    }
  }

  /// Reads until the server ends the connection.
  func takeRest() async throws {
    do {
      while try await receive() {}
    } catch is Reset {
      return
    }
  }

  private struct Reset: Error {}

  /// Waits for bytes; returns false at the end of the connection.
  private func receive() async throws -> Bool {
    let (bytes, code) = await on(receiving) { [socket] in
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      var count: Int
      repeat {
        count = unsafe bytes.withUnsafeMutableBytes {
          unsafe recv(socket, $0.baseAddress, $0.count, 0)
        }
      } while count < 0 && errno == EINTR
      return (count < 0 ? nil : Array(bytes.prefix(count)), errno)
    }
    guard let bytes else { throw code == ECONNRESET ? Reset() : Broken() as any Error }
    buffer.withLock { $0 += bytes }
    return !bytes.isEmpty
  }

  private func on<Value: Sendable>(
    _ queue: DispatchQueue, _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}

/// An answer of a server.
struct Answer: Hashable {
  var status: Int
  /// The header fields, by name in lower case.
  var fields: [String: String]
  var body: String

  /// Removes the first answer from received bytes; nil while it is incomplete.
  init?(takingFrom bytes: inout [UInt8], isToHead: Bool) throws {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    status = try #require(Int(lines[0].split(separator: " ")[1]))
    fields = Dictionary(
      lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { "\($0), \($1)" })
    let length = isToHead ? 0 : fields["content-length"].flatMap { Int($0) } ?? 0
    guard bytes.count >= end.upperBound + length else { return nil }
    body = String(decoding: bytes[end.upperBound..<end.upperBound + length], as: UTF8.self)
    bytes.removeFirst(end.upperBound + length)
  }
}
