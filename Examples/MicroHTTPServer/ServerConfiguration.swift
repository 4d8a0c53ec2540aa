/// Where an ``HTTPServer`` listens, and how much it takes.
///
/// No limit is negative or above 2³⁰, and only ``bodyLimit``, ``stopTimeout`` and
/// those by address may be 0. There are at
/// most 1,024 ``threads``.
public struct ServerConfiguration: Hashable, Sendable {
  /// The address or name of the interface.
  public var host = "127.0.0.1"
  /// The port; 0 takes a free one.
  public var port: UInt16 = 0
  /// How many threads read, parse and write, and begin to answer; by default one a core, and no more
  /// than four.
  public var threads = min(Processors.count, 4)
  /// How many bytes the body of a request may have; a longer one reaches the handler cut to one byte
  /// more, so that it is the handler who refuses it.
  public var bodyLimit = 1 << 20
  /// How many bytes of bodies are kept over all connections.
  ///
  /// A request beyond them is answered with 503, and its connection ends. It is more than
  /// ``bodyLimit``. Strangers have half of it, see ``Admission/isKnown``.
  public var bodyMemoryLimit = 256 << 20
  /// How many bytes of the bodies of strangers are kept that come from one address; at least one body
  /// as long as allowed, and 0 for no limit.
  ///
  /// Of IPv6, the first 64 bits are an address here.
  public var addressBodyMemoryLimit = 16 << 20
  /// How many bytes the names and values of the header fields may have; more are answered with 431.
  public var headerLimit = 16 << 10
  /// How many connections may be open; more wait until one ends.
  public var connectionLimit = 4096
  /// How many connections may be open from one address, or 0 for no limit; one more is answered with
  /// 503 and closed.
  ///
  /// Behind a proxy all clients have its address.
  public var addressConnectionLimit = 2048
  /// After how many seconds without a byte a connection is closed.
  public var idleTimeout = 30
  /// How many seconds a client may take to send a request, and again to take the answer.
  public var requestTimeout = 30
  /// How many seconds ``HTTPServer/stop()`` waits for requests that are being answered; may be 0.
  public var stopTimeout = 30

  /// The limits above.
  public init() {}

  /// - Throws: ``ServerFailure/unusableLimit(_:)``.
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
