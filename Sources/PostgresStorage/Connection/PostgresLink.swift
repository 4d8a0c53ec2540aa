internal import JSONValues
internal import CStorekeeperPostgreSQL
internal import PurchaseStorage
internal import SQLStorage

/// An open connection of libpq in pipeline mode, closed by `deinit`.
///
/// Calls block the thread. One thread at a time uses it: that of its `ServerConnection`.
@safe
final class PostgresLink: ServerLink {
  static let dialect = SQLDialect.postgres

  let handle: OpaquePointer
  /// The names of the statements that the server has prepared for this connection.
  private var prepared: Set<String> = []
  /// The commands sent since the last synchronization; each is the name that it prepares, or nil.
  private var sent: [String?] = []
  /// The same of earlier synchronizations whose answers are still unread.
  private var unread: [[String?]] = []
  var silenceLimit: Duration?
  /// The host that it is connected to, of several.
  var lead: Lead?
  /// The mark of its last commit; nil if that was not marked.
  private var mark: CommitMark?
  /// The time that a commit may take; nil for that of other statements.
  var commitLimit: Duration?
  /// Whether the server warned since the result before the last one.
  private var isWarned = false

  init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe PQfinish(handle) }

  /// Whether libpq knows that the connection is lost.
  var isLost: Bool { unsafe PQstatus(handle) == CONNECTION_BAD }
}

// MARK: - Units of work

extension PostgresLink {
  func begin(_ access: SQLRecords.Access) throws(ServerFailure) { try send(.begin(access), .none) }

  /// Runs all statements in one round trip.
  func query(_ calls: [SQLCall]) throws(ServerFailure) -> [[SQLRow]] {
    try answers(to: calls) { $0.rows }
  }

  func execute(_ call: SQLCall) throws(ServerFailure) -> Int {
    try answers(to: [call]) { $0.rowCount }.first ?? 0
  }

  /// Sends rows together with the next statement or the commit, so that many writes cost one round
  /// trip.
  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) throws(ServerFailure) {
    for row in rows { try send(statement, ParameterTexts(row)) }
  }

  private func answers<Value>(
    to calls: [SQLCall], _ read: (borrowing PostgresReply) -> Value
  ) throws(ServerFailure) -> [Value] {
    for call in calls { try send(call.statement, ParameterTexts(call.values)) }
    return try finish(reading: calls.count, read)
  }

  /// Reads answers that have arrived already.
  ///
  /// They may be a failure of an earlier statement, or the end of the connection; a warning is
  /// ignored.
  func checkBeforeCommit() throws(ServerFailure) {
    guard isLost || hasInput else { return }
    try finish()
  }

  /// Commits, with a mark if the transaction wrote, in one round trip.
  func commit() throws(ServerFailure) {
    if let lead, lead.hosts.marksCommits {
      var mark = mark ?? CommitMark()
      mark.number += 1
      self.mark = mark
      try send(.mark, ParameterTexts(texts: [mark.row, String(mark.number)]))
    }
    let usualLimit = silenceLimit
    if let commitLimit { silenceLimit = min(commitLimit, usualLimit ?? commitLimit) }
    defer { silenceLimit = usualLimit }
    let start = ContinuousClock.now
    var isUnconfirmed = false
    do throws(ServerFailure) {
      try send(.commit, .none)
      let commands = try finish(reading: 1) { reply in
        isUnconfirmed = isWarned
        return reply.command
      }
      guard commands == ["COMMIT"] else { throw .rolledBack }
    } catch {
      if let commitLimit, start.duration(to: .now) >= commitLimit { lead?.hosts.noteStall() }
      throw error
    }
    // The server warns where the wait for a synchronous standby was cancelled: the commit is kept here, and may be
    // lost with this server.
    if isUnconfirmed { throw .lost("the commit was not confirmed by a standby") }
  }

  var sentCommit: SentCommit? {
    mark.map { SentCommit(row: $0.row, number: $0.number) }
  }

  func tookPlace(_ commit: SentCommit, within limit: Duration) throws(ServerFailure) -> Bool {
    let usualLimit = commitLimit
    commitLimit = min(limit, usualLimit ?? limit)
    defer { commitLimit = usualLimit }
    do throws(ServerFailure) {
      try begin(.writing)
      let wait = String(max(1, limit.wholeMilliseconds))
      try send(.lockLimit, ParameterTexts(texts: [wait]))
      try send(.endMarks, ParameterTexts(texts: [commit.row]))
      let rows = try finish(reading: 1) { $0.rows }.first
      // Its own commit is confirmed by a standby, and so is everything before it.
      try self.commit()
      guard case .integer(let last)? = rows?.first?.first else { return false }
      return last >= commit.number
    } catch {
      if error.cause != .lost { try rollBack() }
      throw error
    }
  }

  func giveUp() { lead?.doubt() }

  func endReading() throws(ServerFailure) { try sendAndForget(.commit) }

  func rollBack() throws(ServerFailure) { try sendAndForget(.rollback) }

  /// Waits for a lock that is released at the end of the transaction.
  func becomeMigrator() throws(ServerFailure) {
    // The migration of another process may take longer than ordinary work may.
    try send(.unlimited, ParameterTexts(texts: ["lock_timeout"]))
    try send(.unlimited, ParameterTexts(texts: ["statement_timeout"]))
    try finish()
    try send(.migrationLock, .none)
    try finish()
  }
}

// MARK: - Sending

extension PostgresLink {
  /// Sends a statement, and before it its text if the server has not prepared it for this
  /// connection.
  func send(_ statement: SQLStatement, _ values: ParameterTexts) throws(ServerFailure) {
    if try !isPrepared(statement.name) {
      try check(unsafe PQsendPrepare(handle, statement.name, statement.sql, 0, nil))
      sent.append(statement.name)
    }
    let accepted = unsafe values.withPointers {
      unsafe PQsendQueryPrepared(handle, statement.name, Int32(values.count), $0, nil, nil, 0)
    }
    try check(accepted)
    sent.append(nil)
  }

  /// Whether the server has prepared the statement, or will have before it runs the next one.
  private func isPrepared(_ name: String) throws(ServerFailure) -> Bool {
    if prepared.contains(name) || sent.contains(name) { return true }
    try readForgotten()
    return prepared.contains(name)
  }

  /// Sends a statement without values and without waiting for its answer; the next ``finish()``
  /// reads it.
  ///
  /// It runs even if an earlier statement fails.
  private func sendAndForget(_ statement: SQLStatement) throws(ServerFailure) {
    if !sent.isEmpty { try synchronise() }
    try send(statement, .none)
    try synchronise()
  }

  private func synchronise() throws(ServerFailure) {
    try check(unsafe PQpipelineSync(handle))
    unread.append(sent)
    sent = []
  }

  private func check(_ accepted: Int32) throws(ServerFailure) {
    guard accepted != 1 else { return }
    throw .lost("the connection is lost")
  }
}

// MARK: - Receiving

extension PostgresLink {
  /// Waits until every statement is answered.
  func finish() throws(ServerFailure) { _ = try finish(reading: 0) { _ in } }

  /// Waits until every statement is answered, and returns the values read from the last `last`
  /// answers.
  func finish<Value>(
    reading last: Int, _ read: (borrowing PostgresReply) -> Value
  ) throws(ServerFailure) -> [Value] {
    defer { sent.removeAll(keepingCapacity: true) }
    try check(unsafe PQpipelineSync(handle))
    try readForgotten()
    var left = sent.count { $0 == nil } - last
    var values: [Value] = []
    try readAnswers(to: sent) { reply in
      left -= 1
      if left < 0 { values.append(read(reply)) }
    }
    return values
  }

  /// Reads the answers that nobody waited for, and ignores the failures of statements, which belong to a unit of work that
  /// was given up.
  ///
  /// - Throws: The loss of the connection, also to a server that is silent: its answer would be taken for one to a later
  ///   statement.
  private func readForgotten() throws(ServerFailure) {
    while !unread.isEmpty {
      do throws(ServerFailure) {
        try readAnswers(to: unread.removeFirst()) { _ in }
      } catch  where error.cause != .lost {
        continue
      }
    }
  }

  /// Reads up to the next synchronization, and passes on the answers to statements, not to
  /// preparations.
  private func readAnswers(
    to commands: [String?], _ take: (borrowing PostgresReply) -> Void
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

  /// Returns the next result, or nil at a synchronization.
  ///
  /// The results of each command end with a null.
  private func nextReply() throws(ServerFailure) -> PostgresReply? {
    var isEnd = false
    isWarned = false
    while true {
      try waitForAnswer()
      guard let result = unsafe PQgetResult(handle) else {
        guard !isEnd, !isLost else { throw .lost("the connection is lost") }
        isEnd = true
        continue
      }
      let reply = unsafe PostgresReply(owning: result)
      guard !isLost else { throw .lost("the connection is lost") }
      return reply.status == PGRES_PIPELINE_SYNC ? nil : consume reply
    }
  }
}

extension PostgresLink {
  /// Connects, and enters pipeline mode.
  ///
  /// libpq tries the hosts in order, each for `connect_timeout`.
  static func open(_ target: ConnectionString) throws(ServerFailure) -> PostgresLink {
    guard let handle = unsafe start(target) else {
      throw ServerFailure.lost("out of memory")
    }
    let link = unsafe PostgresLink(owning: handle)
    try link.connect(target)
    guard unsafe PQenterPipelineMode(handle) == 1, unsafe PQsetnonblocking(handle, 1) == 0 else {
      throw ServerFailure.lost("no pipeline mode")
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
  private func connect(_ target: ConnectionString) throws(ServerFailure) {
    guard !isLost else { throw failure(target) }
    unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    // The handle lives no longer than this object.
    unsafe PQsetNoticeReceiver(
      handle,
      { context, notice in
        guard let context = unsafe context, let notice = unsafe notice,
          unsafe PostgresReply.isWarning(notice)
        else { return }
        unsafe Unmanaged<PostgresLink>.fromOpaque(context).takeUnretainedValue().isWarned = true
      }, Unmanaged.passUnretained(self).toOpaque())
    unsafe PQreset(handle)
    guard !isLost else { throw failure(target) }
  }

  private func failure(_ target: ConnectionString) -> ServerFailure {
    let message = unsafe String(cString: PQerrorMessage(handle))
    return ServerFailure(
      verboseMessage: target.redacted(message),
      needsPassword: unsafe PQconnectionNeedsPassword(handle) == 1)
  }
}

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension PostgresLink {
  /// Whether the server has sent something, or closed the connection.
  var hasInput: Bool { ready(for: POLLIN, within: .zero) != 0 }

  /// Flushes libpq's output, and waits until a result is available.
  ///
  /// libpq itself would wait without a limit.
  func waitForAnswer() throws(ServerFailure) {
    var unsent = unsafe PQflush(handle)
    while unsent >= 0, unsafe unsent > 0 || PQisBusy(handle) == 1 {
      let events = try events(of: unsent > 0 ? POLLIN | POLLOUT : POLLIN)
      // A failure shows in the result, or as the loss of the connection.
      if events & ~POLLOUT != 0, unsafe PQconsumeInput(handle) == 0 { return }
      if unsent > 0 { unsent = unsafe PQflush(handle) }
    }
  }

  /// Waits for events of the socket, until the server was silent for too long or its host no longer leads.
  private func events(of kinds: Int32) throws(ServerFailure) -> Int32 {
    let start = ContinuousClock.now
    var doubt = Lead.patience
    while true {
      let silence = start.duration(to: .now)
      let left = silenceLimit.map { $0 - silence }
      if let left, left <= .zero { throw .lost("the server is silent") }
      if let lead {
        if lead.isOver { throw .lost("the host takes no more writes") }
        if silence >= doubt {
          lead.doubt()
          doubt = silence + Lead.patience
        }
      }
      let slice = lead == nil ? left : min(Lead.slice, left ?? Lead.slice)
      let events = ready(for: kinds, within: slice)
      if events != 0 { return events }
    }
  }

  /// Returns the events that the socket is ready for; none after the time limit.
  private func ready(for events: Int32, within limit: Duration?) -> Int32 {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
    while unsafe poll(&descriptor, 1, Self.milliseconds(until: deadline)) < 0, errno == EINTR {}
    return Int32(descriptor.revents)
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline)
    return left > .zero ? left.wholeMilliseconds : 0
  }
}
