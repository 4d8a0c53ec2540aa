internal import CStorekeeperMicroHTTPD
internal import Dispatch
public import HTTPMessages
internal import StorekeeperLocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A small HTTP/1.1 server over libmicrohttpd, for the example programs.
///
/// ```swift
/// let server = try HTTPServer(ServerConfiguration()) { request in await api.respond(to: request) }
/// print("listening on http://127.0.0.1:\(server.port)")
/// await StopSignal.wait()
/// await server.stop()
/// ```
///
/// A request reaches the handler whole, its address as it was sent (`/path?query`, nothing decoded),
/// its header fields in order, duplicates too. While the handler works, no thread waits. Clients that
/// are slow, go away, or send more than is accepted cost their own connection and nothing else; see
/// ``ServerConfiguration`` for the limits.
///
/// What is no HTTP never reaches the handler. libmicrohttpd answers some of it itself (400, 413, 414,
/// 431, 505), in HTML, and ends the connection; where a length is no number, with two heads.
///
/// The body of a request that declares more than ``ServerConfiguration/bodyLimit``, and asks before
/// it sends (`Expect: 100-continue`) or is longer by more than 16 MiB, is not kept: the handler finds
/// the length in the header fields and no body. One in chunks that grows longer than that by more than
/// 16 MiB is answered in its midst. Such clients read their answer while what they send is dropped, for
/// ``ServerConfiguration/requestTimeout`` at most; where the handler waits for something before it
/// answers them, the connection may end without the answer.
///
/// A handler may judge a request by its head (``HeadVerdict``), so that nothing is kept of bodies that it
/// refuses. One that waits for something meanwhile holds up the reading; a client that ends its side
/// before that is over is lost.
public final class HTTPServer: Sendable {
  /// Where it listens.
  public let port: UInt16

  /// How many connections are open.
  public var connectionCount: Int { service.connections.count }

  private let service: Service
  private let listener: Listener
  private let daemons: [Daemon]
  private let watch: Task<Void, Never>

  /// A server that listens from now on.
  ///
  /// - Parameters:
  ///   - configuration: Where, and the limits.
  ///   - begin: Calls the closure that it is given, in which a handler begins to answer a request
  ///     without a body, on a thread of the server that may wait for a disk.
  ///   - respond: Answers a request; called for many at a time.
  /// - Throws: ``ServerFailure``.
  public convenience init(
    _ configuration: ServerConfiguration,
    beginning begin: @escaping @Sendable (() -> Void) -> Void = { $0() },
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) throws(ServerFailure) {
    try self.init(configuration, beginning: begin) { head in
      .admit(
        Admission(isKnown: true) { body in
          var request = head
          request.body = body
          return await respond(request)
        })
    }
  }

  /// A server that listens from now on, and whose handler sees the head of a request before its body is
  /// kept.
  ///
  /// - Parameters:
  ///   - configuration: Where, and the limits.
  ///   - begin: Calls the closure that it is given, in which a handler begins to answer a request
  ///     without a body, on a thread of the server that may wait for a disk.
  ///   - refused: Is told of each connection that is refused with 503, by its address; called on the
  ///     thread that accepts.
  ///   - judge: Judges a request that comes without its body; called for many at a time.
  /// - Throws: ``ServerFailure``.
  public init(
    _ configuration: ServerConfiguration,
    beginning begin: @escaping @Sendable (() -> Void) -> Void = { $0() },
    refused: @escaping @Sendable () -> Void = {},
    judging judge: @escaping @Sendable (HTTPRequest) async -> HeadVerdict
  ) throws(ServerFailure) {
    try configuration.check()
    // A client that went away is told by the result of a write, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    let service = Service(configuration, beginning: begin, judging: judge)
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

  /// Takes no new connection, finishes what it has, and closes.
  ///
  /// Requests that a client had sent before are answered, each as the last of its connection. What is
  /// not answered after ``ServerConfiguration/stopTimeout`` is answered with 503, and the handler's
  /// task is cancelled, but not waited for.
  public func stop() async {
    listener.stop()
    service.connections.drain()
    await waitForEnd(atMost: .seconds(service.configuration.stopTimeout))
    service.connections.close()
    await waitForEnd(atMost: .seconds(1))
    await withCheckedContinuation { continuation in
      // The daemons' threads are waited for.
      DispatchQueue(label: "MicroHTTPServer.stop").async { [self] in
        end()
        continuation.resume()
      }
    }
  }

  /// Waits until all connections have ended, and no longer than told.
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

  /// Accepts clients on a thread of its own, for one daemon after the other, until the listener is
  /// stopped.
  private func accept(_ refused: @escaping @Sendable () -> Void) {
    let (listener, daemons, connections) = (listener, daemons, service.connections)
    DispatchQueue(label: "MicroHTTPServer.accept").async {
      var turn = 0
      while connections.waitForRoom(), let client = listener.accept() {
        guard connections.reserve(client.socket, from: client.address) else {
          _ = EarlyAnswer(.unavailable, to: nil).send(on: client.socket)
          cmicrohttpd_close_read(client.socket)
          refused()
          continue
        }
        if !daemons[turn].add(client.socket) { connections.closed(client.socket) }
        turn = (turn + 1) % daemons.count
      }
    }
  }

  /// Ends the connections of clients that are slow, or gone.
  private static func watch(_ connections: Connections) -> Task<Void, Never> {
    Task {
      while (try? await Task.sleep(for: .milliseconds(250))) != nil {
        connections.endOverdue()
        connections.noticeEnds()
      }
    }
  }
}
