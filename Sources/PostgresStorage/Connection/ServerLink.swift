internal import CStorekeeperPostgreSQL
internal import PurchaseStorage
internal import SQLStorage

/// An open connection of libpq in pipeline mode; closed when it is let go.
///
/// Calls block the thread. One thread at a time uses it: that of its `PostgresConnection`.
@safe
final class ServerLink {
  let handle: OpaquePointer
  /// Names of the statements that the server has prepared for this connection.
  private var prepared: Set<String> = []
  /// What was sent since the last synchronisation: the name that each command prepares, if it does.
  private var sent: [String?] = []
  /// The same of earlier synchronisations whose answers nobody waited for.
  private var unread: [[String?]] = []
  /// How long the server may be silent while an answer is due; nil for as long as it likes.
  var silenceLimit: Duration?

  /// Where this is counted once it is of use.
  var count: LinkCount? {
    didSet { count?.add(1) }
  }

  init(owning handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    count?.add(-1)
    unsafe PQfinish(handle)
  }

  /// Whether libpq knows that the connection is gone.
  var isLost: Bool { unsafe PQstatus(handle) == CONNECTION_BAD }
}

// MARK: - Sending

extension ServerLink {
  /// Sends a statement, and before it its text if the server has not prepared it for us.
  func send(_ statement: SQLStatement, _ values: ParameterTexts) throws(ServerFailure) {
    if !isPrepared(statement.name) {
      try check(unsafe PQsendPrepare(handle, statement.name, statement.sql, 0, nil))
      sent.append(statement.name)
    }
    let accepted = unsafe values.withPointers {
      unsafe PQsendQueryPrepared(handle, statement.name, Int32(values.count), $0, nil, nil, 0)
    }
    try check(accepted)
    sent.append(nil)
  }

  /// Whether the server has prepared the statement, or will have when it comes to what is sent next.
  private func isPrepared(_ name: String) -> Bool {
    if prepared.contains(name) || sent.contains(name) { return true }
    readForgotten()
    return prepared.contains(name)
  }

  /// Sends a statement without values, for whose answer nobody waits; the next ``finish()`` reads it.
  ///
  /// It is run even if something that was sent before it fails.
  func sendAndForget(_ statement: SQLStatement) throws(ServerFailure) {
    if !sent.isEmpty { try synchronise() }
    try send(statement, .none)
    try synchronise()
  }

  private func synchronise() throws(ServerFailure) {
    try check(unsafe PQpipelineSync(handle))
    unread.append(sent)
    sent = []
  }

  /// Reads what the server said before it was asked for the answer.
  ///
  /// It may be a failure of what was sent, or a farewell; a warning is passed over.
  func readEarly() throws(ServerFailure) {
    guard isLost || hasInput else { return }
    try finish()
  }

  private func check(_ accepted: Int32) throws(ServerFailure) {
    guard accepted != 1 else { return }
    throw .lost(detail: "the connection is lost")
  }
}

// MARK: - Receiving

extension ServerLink {
  /// Waits until all that was sent is answered.
  func finish() throws(ServerFailure) { _ = try finish(reading: 0) { _ in } }

  /// Waits until all that was sent is answered, and gives what is read in the answers to so many of
  /// the statements that were sent last.
  func finish<Value>(
    reading last: Int, _ read: (borrowing ServerReply) -> Value
  ) throws(ServerFailure) -> [Value] {
    defer { sent.removeAll(keepingCapacity: true) }
    try check(unsafe PQpipelineSync(handle))
    readForgotten()
    var left = sent.count { $0 == nil } - last
    var values: [Value] = []
    try readAnswers(to: sent) { reply in
      left -= 1
      if left < 0 { values.append(read(reply)) }
    }
    return values
  }

  /// Reads what nobody waited for.
  ///
  /// A failure there was of a unit of work that was given up, or is one of the connection, which
  /// shows again at the next answer.
  private func readForgotten() {
    while !unread.isEmpty { try? readAnswers(to: unread.removeFirst()) { _ in } }
  }

  /// Reads up to the next synchronisation; takes the answers to statements, not those to preparations.
  private func readAnswers(
    to commands: [String?], _ take: (borrowing ServerReply) -> Void
  ) throws(ServerFailure) {
    var failure: ServerFailure?
    var commands = commands[...]
    while let reply = try nextReply() {
      switch reply.status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
        if let name = commands.popFirst() ?? nil { prepared.insert(name) } else { take(reply) }
      case PGRES_PIPELINE_ABORTED: break
      default: failure = failure ?? reply.failure
      }
    }
    if let failure { throw failure }
  }

  /// The next result, or nil at a synchronisation.
  ///
  /// Every command's results end with a null.
  private func nextReply() throws(ServerFailure) -> ServerReply? {
    var isEnd = false
    while true {
      try waitForAnswer()
      guard let result = unsafe PQgetResult(handle) else {
        guard !isEnd, !isLost else { throw .lost(detail: "the connection is lost") }
        isEnd = true
        continue
      }
      let reply = unsafe ServerReply(owning: result)
      guard !isLost else { throw .lost(detail: "the connection is lost") }
      return reply.status == PGRES_PIPELINE_SYNC ? nil : consume reply
    }
  }
}
