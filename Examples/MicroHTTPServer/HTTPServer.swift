internal import CStorekeeperMicroHTTPD
internal import Dispatch
public import HTTPMessages
internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A small HTTP/1.1 server on libmicrohttpd, for the example programs.
///
/// ```swift
/// let server = try HTTPServer(ServerConfiguration()) { request in await api.respond(to: request) }
/// print("listening on http://127.0.0.1:\(server.port)")
/// await StopSignal.wait()
/// await server.stop()
/// ```
///
/// The handler gets a complete request: the target as it was sent (`/path?query`, not decoded), and
/// the header fields in order, including duplicates. While the handler works, no thread is blocked.
/// Clients that are slow, disconnect, or exceed a limit cost their own connection and nothing else;
/// see ``ServerConfiguration`` for the limits.
///
/// Malformed requests never reach the handler. libmicrohttpd answers some of them itself (400, 413,
/// 414, 431, 505), in HTML, and closes the connection; if a length is not a number, its answer has
/// two heads.
///
/// The body of a request that declares more than ``ServerConfiguration/bodyLimit`` is not kept if
/// the client asks before it sends (`Expect: 100-continue`), or if it exceeds the limit by more
/// than 16 MiB: the handler gets the declared length in the header fields and no body. A body in
/// chunks that exceeds the limit by more than 16 MiB is answered before its end. Such clients can
/// read the answer while their input is dropped, for ``ServerConfiguration/requestTimeout`` at
/// most; if the handler suspends before it answers them, the connection may end without the answer.
///
/// A handler may judge a request by its head (``HeadVerdict``), so that bodies which it refuses are
/// not kept. If it suspends meanwhile, reading stops; a client that closes its side before the
/// handler continues is lost.
public final class HTTPServer: Sendable {
  /// The port on which the server listens.
  public let port: UInt16

  public var connectionCount: Int { service.connections.count }

  private let service: Service
  private let listener: Listener
  private let daemons: [Daemon]
  private let watch: Task<Void, Never>

  /// Creates a server, which listens from now on.
  ///
  /// `begin` calls its argument, which begins to answer a request without a body, on a thread of the
  /// server that may block; `respond` is called concurrently.
  public convenience init(
    _ configuration: ServerConfiguration,
    beginning begin: @escaping @Sendable (() -> Void) -> Void = { $0() },
    respond: @escaping @Sendable (HTTPRequestMessage) async -> HTTPResponseMessage
  ) throws(ServerFailure) {
    try self.init(configuration, beginning: begin, responding: respond) { head in
      .admit(
        Admission(isKnown: true) { body in
          var request = head
          request.body = body
          return await respond(request)
        })
    }
  }

  /// Creates a server whose handler judges the head of a request before its body is kept.
  ///
  /// It listens from now on.
  ///
  /// `begin` calls its argument, which begins to answer a request without a body, on a thread of the
  /// server that may block. `refused` is called for each connection that is refused with 503 because
  /// of its address, on the thread that accepts, before the client is told. `judge` is called
  /// concurrently. `respond` answers the requests without a body, as a judgement and an admission
  /// would; it saves the step between them.
  public init(
    _ configuration: ServerConfiguration,
    beginning begin: @escaping @Sendable (() -> Void) -> Void = { $0() },
    refused: @escaping @Sendable () -> Void = {},
    responding respond: (@Sendable (HTTPRequestMessage) async -> HTTPResponseMessage)? = nil,
    judging judge: @escaping @Sendable (HTTPRequestMessage) async -> HeadVerdict
  ) throws(ServerFailure) {
    try configuration.check()
    // A disconnected client shows in the result of a write, not as a signal.
    signal(SIGPIPE, SIG_IGN)
    let service = Service(
      configuration, beginning: begin, judging: judge, responding: respond)
    listener = try Listener(host: configuration.host, port: configuration.port)
    var daemons: [Daemon] = []
    for _ in 0..<configuration.threads { daemons.append(try Daemon(service)) }
    self.daemons = daemons
    self.service = service
    port = listener.port
    watch = Self.watch(service.connections)
    accept(refused)
  }

  deinit { end() }

  /// Refuses new connections, finishes the open ones, and closes.
  ///
  /// Requests that were sent before are answered, each as the last of its connection. After
  /// ``ServerConfiguration/stopTimeout`` the remaining ones are answered with 503, and their
  /// handlers are cancelled but not awaited.
  public func stop() async {
    listener.stop()
    service.connections.drain()
    await waitForEnd(atMost: .seconds(service.configuration.stopTimeout))
    service.connections.close()
    // The last answers have to be written, also by a busy machine.
    await waitForEnd(atMost: .seconds(5))
    await withCheckedContinuation { continuation in
      // Blocks until the daemons' threads have ended.
      DispatchQueue(label: "MicroHTTPServer.stop").async { [self] in
        end()
        continuation.resume()
      }
    }
  }

  /// Waits until all connections have ended, or the limit is reached.
  private func waitForEnd(atMost limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while connectionCount > 0, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  private func end() {
    watch.cancel()
    listener.stop()
    service.connections.close()
    for daemon in daemons { daemon.stop() }
  }

  /// Accepts clients on a thread of its own, and distributes them over the daemons, until the
  /// listener stops.
  private func accept(_ refused: @escaping @Sendable () -> Void) {
    let (listener, daemons, connections) = (listener, daemons, service.connections)
    DispatchQueue(label: "MicroHTTPServer.accept").async {
      var turn = 0
      while connections.waitForRoom(), let client = listener.accept() {
        guard connections.reserve(client.socket, from: client.address) else {
          refused()
          _ = EarlyAnswer(.unavailable, to: nil).send(on: client.socket)
          cmicrohttpd_close_read(client.socket)
          continue
        }
        if !daemons[turn].add(client.socket) { connections.closed(client.socket) }
        turn = (turn + 1) % daemons.count
      }
    }
  }

  /// Ends the connections of slow or disconnected clients.
  private static func watch(_ connections: Connections) -> Task<Void, Never> {
    Task {
      while (try? await Task.sleep(for: .milliseconds(250))) != nil {
        connections.endOverdue()
        connections.noticeEnds()
      }
    }
  }
}
