internal import CPostgreSQL

extension ServerLink {
  /// Connects, and enters pipeline mode.
  ///
  /// - Throws: `ConnectFailure`.
  static func open(
    _ target: ConnectionString, until deadline: ContinuousClock.Instant
  ) throws(ConnectFailure) -> ServerLink {
    guard let handle = unsafe start(target) else {
      throw ConnectFailure(state: nil, detail: "out of memory")
    }
    let link = unsafe ServerLink(owning: handle)
    // The code of a refusal is found in verbose messages only.
    unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    try link.connect(target, until: deadline)
    guard unsafe PQenterPipelineMode(handle) == 1 else {
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

  private func connect(
    _ target: ConnectionString, until deadline: ContinuousClock.Instant
  ) throws(ConnectFailure) {
    var next = PGRES_POLLING_WRITING
    while next != PGRES_POLLING_OK {
      guard next != PGRES_POLLING_FAILED, !isLost else { throw failure(target) }
      guard waitForSocket(toRead: next == PGRES_POLLING_READING, until: deadline) else {
        throw ConnectFailure(state: nil, detail: "no answer in time")
      }
      next = unsafe PQconnectPoll(handle)
    }
  }

  private func failure(_ target: ConnectionString) -> ConnectFailure {
    let message = unsafe String(cString: PQerrorMessage(handle))
    var failure = ConnectFailure(verboseMessage: target.redacted(message))
    // libpq itself refuses to go on when the server asks for a password and there is none.
    if failure.state == nil, unsafe PQconnectionNeedsPassword(handle) == 1 {
      failure.state = .invalidPassword
    }
    return failure
  }
}
