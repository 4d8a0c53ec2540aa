internal import CStorekeeperPostgreSQL

extension ServerLink {
  /// Connects, and enters pipeline mode.
  ///
  /// libpq tries the hosts in order, each for `connect_timeout`.
  static func open(_ target: ConnectionString) throws(ConnectFailure) -> ServerLink {
    guard let handle = unsafe start(target) else {
      throw ConnectFailure(state: nil, detail: "out of memory")
    }
    let link = unsafe ServerLink(owning: handle)
    try link.connect(target)
    guard unsafe PQenterPipelineMode(handle) == 1, unsafe PQsetnonblocking(handle, 1) == 0 else {
      throw ConnectFailure(state: nil, detail: "no pipeline mode")
    }
    return link
  }

  private static func start(_ target: ConnectionString) -> OpaquePointer? {
    let options = Array(target.options)
    let keywords = ParameterTexts(texts: options.map(\.key) + [nil])
    let values = ParameterTexts(texts: options.map(\.value) + [nil])
    return unsafe keywords.withPointers { keywords in
      unsafe values.withPointers { unsafe PQconnectStartParams(keywords, $0, 0) }
    }
  }

  /// Connects with verbose messages, since only these contain the code of a refusal.
  ///
  /// Verbosity can be set once there is a handle. So the first attempt is dropped, and `PQreset`
  /// makes another; unlike `PQconnectPoll` it skips silent hosts.
  private func connect(_ target: ConnectionString) throws(ConnectFailure) {
    guard !isLost else { throw failure(target) }
    unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    unsafe PQreset(handle)
    guard !isLost else { throw failure(target) }
  }

  private func failure(_ target: ConnectionString) -> ConnectFailure {
    let message = unsafe String(cString: PQerrorMessage(handle))
    var failure = ConnectFailure(verboseMessage: target.redacted(message))
    // libpq itself gives up when the server asks for a password and there is none.
    if failure.state == nil, unsafe PQconnectionNeedsPassword(handle) == 1 {
      failure.state = .invalidPassword
    }
    return failure
  }
}
