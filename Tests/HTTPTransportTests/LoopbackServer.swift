import Foundation

/// A local server that serves each connection with a script, on its own thread.
///
/// The script writes the HTTP itself, so that it can also be malformed.
final class LoopbackServer: Sendable {
  /// The script for a connection, which is closed afterwards.
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
      // Here and not in deinit, because another server may get the same descriptor at once.
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
  /// If there is more than one request, the text must announce the end (`Connection: close`).
  static func answering(_ text: String) throws -> LoopbackServer {
    try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.write(text)
    }
  }

  /// A server that forwards all data to another and back, and calls a closure once the client has
  /// received the alert that ends TLS (RFC 5246 section 7.2.1), which is visible in TLS 1.2.
  ///
  /// The underlying connection ends soon after the alert, or only when the client ends it.
  static func relay(
    toPort port: String, endsConnection: Bool, onEnd: @escaping @Sendable () -> Void
  ) throws -> LoopbackServer {
    try LoopbackServer { client in
      guard let server = client.another(toPort: port) else { return }
      let hasEnded = DispatchSemaphore(value: 0)
      Thread {
        client.pass(to: server)
        server.endWriting()
        hasEnded.signal()
      }.start()
      var records = TLSRecords()
      server.pass(to: client) { bytes in
        guard records.append(bytes) else { return }
        client.waitForArrival()
        onEnd()
      }
      if endsConnection { client.endWriting() }
      hasEnded.wait()
      server.close()
    }
  }

  /// The URL of the server, without a path.
  var url: String { "http://127.0.0.1:\(port)" }

  /// The received requests, in order.
  var requests: [ReceivedRequest] { log.requests }

  /// Calls a closure with a URL that refuses connections; its port stays reserved meanwhile.
  static func withClosedAddress<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let (socket, port) = try bound()
    defer { close(socket) }
    return try await body("http://127.0.0.1:\(port)")
  }

  /// A socket that is bound to a free port of the loopback interface, and the port.
  private static func bound() throws -> (socket: Int32, port: UInt16) {
    guard let (listener, any) = socket(toPort: "0") else { throw POSIXError(.EADDRNOTAVAIL) }
    var address = any
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe bind(listener, pointer, size) == 0 else { return Int32(-1) }
        guard unsafe getsockname(listener, pointer, &size) == 0 else { return -1 }
        return 0
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// A socket, and the address of a port on the loopback interface.
  fileprivate static func socket(toPort port: String) -> (socket: Int32, address: sockaddr_in)? {
    #if canImport(Glibc)
      let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard socket >= 0, let port = UInt16(port) else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return (socket, address)
  }
}

/// The requests that a server has received.
private final class RequestLog: @unchecked Sendable {
  // Sendable because the array is accessed only under the lock.
  private let lock = NSLock()
  private var list: [ReceivedRequest] = []

  var requests: [ReceivedRequest] { lock.withLock { list } }
  func append(_ request: ReceivedRequest) { lock.withLock { list.append(request) } }
}

/// A request as received.
struct ReceivedRequest: Hashable, Sendable {
  let line: String
  let fields: [String]
  let body: [UInt8]

  /// Returns the values of a field by its name in lower case.
  func values(_ name: String) -> [String] {
    fields.compactMap { field in
      let parts = field.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == name else { return nil }
      return parts[1].trimmingCharacters(in: .whitespaces)
    }
  }
}

/// A connection to a ``LoopbackServer``.
struct LoopbackConnection: Sendable {
  fileprivate let socket: Int32
  fileprivate let log: RequestLog

  fileprivate init(socket: Int32, log: RequestLog) {
    self.socket = socket
    self.log = log
    var isOn: Int32 = 1
    // Otherwise the system may delay data until earlier data was acknowledged.
    unsafe setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #if !canImport(Glibc)
      unsafe setsockopt(
        socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// Reads a request with its body; nil if the client closes first.
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

  /// Forwards all data, and reports it afterwards.
  func pass(to other: LoopbackConnection, then: ([UInt8]) -> Void = { _ in }) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
      guard count > 0, other.write(Array(buffer.prefix(count))) else { return }
      then(Array(buffer.prefix(count)))
    }
  }

  /// Connects to a local port, or returns nil.
  func another(toPort port: String) -> LoopbackConnection? {
    guard let (other, address) = LoopbackServer.socket(toPort: port) else { return nil }
    var target = address
    let status = unsafe withUnsafePointer(to: &target) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let connection = LoopbackConnection(socket: other, log: log)
    guard status == 0 else {
      connection.close()
      return nil
    }
    return connection
  }

  /// Waits until the client closes the connection.
  func waitForClose() {
    while read(1) != nil {}
  }

  /// Sends a text; returns false if the client has closed.
  @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Sends bytes; returns false if the client has closed.
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

  /// Waits until the client's system has received all data; has an effect only on Linux.
  func waitForArrival() {
    #if canImport(Glibc)
      while true {
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        let status = unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
        guard status == 0, info.tcpi_unacked > 0 else { return }
        usleep(1000)
      }
    #endif
  }

  /// Makes the connection end with a reset.
  func resetWhenClosed() {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Ends the sending direction of the connection.
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

/// A parser of TLS records (RFC 5246 section 6.2.1).
private struct TLSRecords {
  private var rest: [UInt8] = []

  /// Parses data; returns whether it ended with an alert.
  mutating func append(_ bytes: [UInt8]) -> Bool {
    rest += bytes
    var hasAlert = false
    while rest.count >= 5 {
      let length = 5 + Int(rest[3]) << 8 + Int(rest[4])
      guard rest.count >= length else { break }
      if rest[0] == 21 { hasAlert = true }
      rest.removeFirst(length)
    }
    return hasAlert
  }
}
