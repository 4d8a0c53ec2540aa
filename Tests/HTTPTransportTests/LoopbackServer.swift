import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server on this computer that serves each connection by one script, on a thread of its own.
///
/// It speaks no more HTTP than the script does, so that it can also speak it badly.
final class LoopbackServer: Sendable {
  /// What happens on one connection; the connection is closed afterwards.
  typealias Script = @Sendable (LoopbackConnection) -> Void

  private let socket: Int32
  private let port: UInt16
  private let log = RequestLog()

  /// Starts to listen on a free port.
  init(_ script: @escaping Script) throws {
    (socket, port) = try Self.bound()
    guard listen(socket, 64) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    let thread = Thread { [socket, log] in
      while true {
        let accepted = accept(socket, nil, nil)
        guard accepted >= 0 else {
          if errno == ECONNABORTED || errno == EINTR { continue }
          break
        }
        let connection = LoopbackConnection(socket: accepted, log: log)
        Thread {
          script(connection)
          connection.close()
        }.start()
      }
      // Here and not in deinit, for the number may belong to another server at once.
      close(socket)
    }
    thread.start()
  }

  deinit {
    // The thread's accept fails.
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// A server that reads one request on each connection, sends a text, and closes.
  ///
  /// Where there is more than one request, the text tells of that (`Connection: close`).
  static func answering(_ text: String) throws -> LoopbackServer {
    try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.write(text)
    }
  }

  /// The address of the server, without path.
  var url: String { "http://127.0.0.1:\(port)" }

  /// The requests that were read, in order.
  var requests: [ReceivedRequest] { log.requests }

  /// Calls with an address at which nobody listens; its port stays taken meanwhile.
  static func withClosedAddress<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let (socket, port) = try bound()
    defer { close(socket) }
    return try await body("http://127.0.0.1:\(port)")
  }

  /// A socket that is bound to a free port of the loopback interface, and the port.
  private static func bound() throws -> (socket: Int32, port: UInt16) {
    #if canImport(Glibc)
      let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe bind(listener, pointer, size) == 0 else { return Int32(-1) }
        guard unsafe getsockname(listener, pointer, &size) == 0 else { return -1 }
        return 0
      }
    }
    guard listener >= 0, code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}

/// The requests that a server has read.
private final class RequestLog: @unchecked Sendable {
  // Sendable because the list is only touched between lock and unlock.
  private let lock = NSLock()
  private var list: [ReceivedRequest] = []

  var requests: [ReceivedRequest] { lock.withLock { list } }
  func append(_ request: ReceivedRequest) { lock.withLock { list.append(request) } }
}

/// A request as it came over the wire.
struct ReceivedRequest: Hashable, Sendable {
  let line: String
  let fields: [String]
  let body: [UInt8]

  /// The values of a field, by its name in lower case.
  func values(_ name: String) -> [String] {
    fields.compactMap { field in
      let parts = field.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == name else { return nil }
      return parts[1].trimmingCharacters(in: .whitespaces)
    }
  }
}

/// One connection to a ``LoopbackServer``.
struct LoopbackConnection: Sendable {
  fileprivate let socket: Int32
  fileprivate let log: RequestLog

  fileprivate init(socket: Int32, log: RequestLog) {
    self.socket = socket
    self.log = log
    #if !canImport(Glibc)
      var isOn: Int32 = 1
      unsafe setsockopt(
        socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// Reads a request with its body; nil when the client closes first.
  func readRequest() -> ReceivedRequest? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard let byte = read(1)?.first else { return nil }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let fields = lines.dropFirst().filter { !$0.isEmpty }
    let request = ReceivedRequest(line: lines[0], fields: Array(fields), body: [])
    let count = request.values("content-length").first.flatMap { Int($0) } ?? 0
    guard let body = read(count) else { return nil }
    let received = ReceivedRequest(line: request.line, fields: request.fields, body: body)
    log.append(received)
    return received
  }

  /// Waits until the client closes the connection.
  func waitForClose() {
    while read(1) != nil {}
  }

  /// Sends a text; false when the client has closed.
  @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Sends bytes; false when the client has closed.
  @discardableResult func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          unsafe send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        #else
          unsafe send(socket, buffer.baseAddress, buffer.count, 0)
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Makes the closing of the connection a reset.
  func resetWhenClosed() {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Tells the client that nothing more comes.
  func endWriting() {
    shutdown(socket, Int32(SHUT_WR))
  }

  fileprivate func close() {
    #if canImport(Glibc)
      Glibc.close(socket)
    #else
      Darwin.close(socket)
    #endif
  }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let received = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
      guard received > 0 else { return nil }
      bytes += buffer.prefix(received)
    }
    return bytes
  }
}
