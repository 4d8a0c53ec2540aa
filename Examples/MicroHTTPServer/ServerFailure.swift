/// Why a server cannot be started.
public enum ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host is no address of this machine, nor a name of one.
  case unknownHost(String)
  /// The port cannot be had, with the number of the system's error, such as `EADDRINUSE`.
  case cannotListen(host: String, port: UInt16, code: Int32)
  /// A member of ``ServerConfiguration`` is too small or too large.
  case unusableLimit(String)
  /// libmicrohttpd cannot be started.
  case cannotStart

  /// What went wrong.
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
