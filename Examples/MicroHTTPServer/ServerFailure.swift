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
