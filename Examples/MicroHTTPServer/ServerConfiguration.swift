/// The address and the limits of an ``HTTPServer``.
///
/// No limit is negative or above 2³⁰, and only ``bodyLimit``, ``stopTimeout`` and those by address
/// may be 0. There are at most 1,024 ``threads``.
public struct ServerConfiguration: Hashable, Sendable {
  /// The address or name of the interface.
  public var host = "127.0.0.1"
  /// The port; 0 takes a free one.
  public var port: UInt16 = 0
  /// The number of event loops, each a thread, that read, parse and write, and begin to answer; by
  /// default one for each core that the process may use.
  ///
  /// Connections are shared out among them; all limits are those of the server.
  public var threads = min(Processors.count, 1024)
  /// The maximum length of a body in bytes; the handler gets one byte more of a longer one, and
  /// refuses it.
  public var bodyLimit = 1 << 20
  /// The memory for the bodies of all connections, in bytes.
  ///
  /// A request beyond it is answered with 503, and its connection ends. It exceeds ``bodyLimit``.
  /// Anonymous clients share half of it, see ``Admission/isKnown``.
  public var bodyMemoryLimit = 256 << 20
  /// The memory for the bodies of anonymous clients at one address, in bytes: at least one body of
  /// maximum length, or 0 for no limit.
  ///
  /// The first 64 bits of an IPv6 address count.
  public var addressBodyMemoryLimit = 16 << 20
  /// The maximum length of the names and values of the header fields, in bytes; more are answered
  /// with 431.
  public var headerLimit = 16 << 10
  /// The maximum number of open connections; further ones wait until one ends.
  public var connectionLimit = 4096
  /// The maximum number of open connections from one address, or 0 for no limit; a further one is
  /// answered with 503 and closed.
  ///
  /// Behind a proxy all clients have its address.
  public var addressConnectionLimit = 2048
  /// The time of silence after which a connection is closed, in seconds.
  public var idleTimeout = 30
  /// The time for sending a request, and again for taking the answer, in seconds.
  public var requestTimeout = 30
  /// The time for which ``HTTPServer/stop()`` waits for requests that are being answered, in
  /// seconds; may be 0.
  public var stopTimeout = 30

  /// Creates the default configuration.
  public init() {}

  func check() throws(ServerFailure) {
    let limits = [
      ("bodyLimit", bodyLimit, 0), ("bodyMemoryLimit", bodyMemoryLimit, bodyLimit),
      ("threads", threads, 1), ("headerLimit", headerLimit, 1),
      ("addressBodyMemoryLimit", addressBodyMemoryLimit, 0),
      ("addressConnectionLimit", addressConnectionLimit, 0),
      ("connectionLimit", connectionLimit, 1), ("idleTimeout", idleTimeout, 1),
      ("requestTimeout", requestTimeout, 1),
      ("stopTimeout", stopTimeout, 0),
    ]
    for (name, value, least) in limits {
      guard value >= least, value <= 1 << 30 else { throw .unusableLimit(name) }
    }
    guard threads <= 1024 else { throw .unusableLimit("threads") }
    guard bodyMemoryLimit > bodyLimit else { throw .unusableLimit("bodyMemoryLimit") }
  }
}

/// The reason why a server cannot start.
public enum ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host is neither an address of this machine nor the name of one.
  case unknownHost(String)
  /// The port is not available; the code is the system's, such as `EADDRINUSE`.
  case cannotListen(host: String, port: UInt16, code: Int32)
  /// A member of ``ServerConfiguration`` is too small or too large.
  case unusableLimit(String)
  case cannotStart

  /// The reason in words.
  public var description: String {
    switch self {
    case .unknownHost(let host): "\(host) is no address of this machine"
    case .cannotListen(let host, let port, let code):
      "cannot listen on \(host), port \(port): \(systemMessage(code))"
    case .unusableLimit(let name): "\(name) is too small or too large"
    case .cannotStart: "the HTTP server cannot be started"
    }
  }
}
