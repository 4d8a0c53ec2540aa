internal import CStorekeeperCurl

/// A connection to a server, plain or with TLS, used only on the line's thread.
///
/// Curl opens and encrypts it, and hiredis reads the replies.
@safe
final class RedisConnection {
  typealias Failure = RedisReceiptStore.Failure

  private let poller: Poller
  private let handle: UnsafeMutableRawPointer
  private let reader: ReplyReader
  private let isEnding: () -> Bool
  private var socket = CURL_SOCKET_BAD
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Opens a connection and selects user and database.
  ///
  /// - Throws: The reason why the server cannot be used; `notConnected` after the deadline.
  init(
    _ configuration: RedisReceiptStore.Configuration, poller: Poller,
    until deadline: ContinuousClock.Instant, isEnding: @escaping () -> Bool
  ) throws(Failure) {
    self.poller = poller
    self.isEnding = isEnding
    reader = try ReplyReader()
    guard let handle = unsafe curl_easy_init() else { throw .notConnected }
    unsafe self.handle = handle
    // From here on, deinit frees it.
    try unsafe ConnectionOptions(handle).set(configuration)
    guard unsafe poller.add(handle) else { throw .notConnected }
    try connect(until: deadline)
    try greet(configuration, until: deadline)
  }

  deinit {
    unsafe poller.remove(handle)
    unsafe curl_easy_cleanup(handle)
  }

  private func connect(until deadline: ContinuousClock.Instant) throws(Failure) {
    while true {
      if let code = poller.advance() {
        guard code == CURLE_OK else { throw Failure(code) }
        socket = unsafe ccurl_socket(handle)
        guard socket != CURL_SOCKET_BAD else { throw .notConnected }
        return
      }
      guard .now < deadline, !isEnding() else { throw .notConnected }
      poller.wait(until: deadline)
    }
  }

  /// Sends user, password and database, and waits for a sign of life: a system accepts connections
  /// for a server that has stopped.
  private func greet(
    _ configuration: RedisReceiptStore.Configuration, until deadline: ContinuousClock.Instant
  ) throws(Failure) {
    do throws(Failure) {
      let greeting = try Self.greeting(configuration)
      try send(greeting.flatMap(\.bytes), until: deadline)
      for command in greeting {
        let reply = try reply(until: deadline)
        if case .error(let code) = reply { throw .refused(code) }
        guard command.shape.fits(reply) else { throw .malformedReply }
      }
    } catch {
      throw error == .timeUp ? .notConnected : error
    }
  }

  private static func greeting(
    _ configuration: RedisReceiptStore.Configuration
  ) throws(Failure) -> [RedisCommand] {
    var commands: [RedisCommand] = []
    let (user, password) = (configuration.username, configuration.password)
    if user != nil || password != nil {
      let arguments = ["AUTH"] + (user.map { [$0] } ?? []) + [password ?? ""]
      commands.append(try RedisCommand(arguments, replying: .status))
    }
    if configuration.database != 0 {
      commands.append(
        try RedisCommand(["SELECT", String(configuration.database)], replying: .status))
    }
    commands.append(try RedisCommand(["PING"], replying: .status))
    return commands
  }
}

// MARK: Exchanges

extension RedisConnection {
  /// Sends bytes; throws `timeUp` after the deadline, or `notConnected`.
  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(Failure) {
    var sent = 0
    while sent < bytes.count {
      var count = 0
      let code = unsafe bytes[sent...].withUnsafeBytes { rest in
        unsafe curl_easy_send(handle, rest.baseAddress, rest.count, &count)
      }
      switch code {
      case CURLE_OK: sent += count
      case CURLE_AGAIN: try wait(.writable, until: deadline)
      default: throw Failure(code)
      }
    }
  }

  /// Waits for the next reply; throws `timeUp` after the deadline, `malformedReply` or `notConnected`.
  func reply(until deadline: ContinuousClock.Instant) throws(Failure) -> RedisReply {
    while true {
      if let reply = try reader.next() { return reply }
      // A server that never pauses does not win time.
      guard .now < deadline else { throw .timeUp }
      if try !receive() { try wait(.readable, until: deadline) }
    }
  }

  /// Waits until somebody wakes, while nothing may arrive.
  ///
  /// - Throws: `notConnected` if the server ends the connection, `malformedReply` if it sends anything.
  func idle() throws(Failure) {
    if poller.wait(for: socket, until: .now + .seconds(60)) { try checkQuiet() }
  }

  /// Checks that nothing has arrived that nobody asked for, which would be taken for the next reply.
  ///
  /// - Throws: `notConnected` if the server has ended the connection, `malformedReply`.
  func checkQuiet() throws(Failure) {
    guard !reader.hasRest, try !receive() else { throw .malformedReply }
  }

  /// Reads what has arrived; returns false if nothing has.
  private func receive() throws(Failure) -> Bool {
    var count = 0
    let code = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
    }
    if code == CURLE_AGAIN { return false }
    // None: the server has ended the connection.
    guard code == CURLE_OK, count > 0 else { throw .notConnected }
    try reader.feed(buffer[..<count])
    return true
  }

  private func wait(
    _ event: Poller.Event, until deadline: ContinuousClock.Instant
  ) throws(Failure) {
    guard .now < deadline else { throw .timeUp }
    guard !isEnding() else { throw .notConnected }
    poller.wait(for: socket, event, until: deadline)
  }
}

extension RedisReceiptStore.Failure {
  /// The failure for an error of libcurl.
  fileprivate init(_ code: CURLcode) {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      self = .untrustedServer
    default: self = .notConnected
    }
  }
}
