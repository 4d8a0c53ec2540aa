internal import CStorekeeperMariaDB
internal import SQLStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open connection of MariaDB Connector/C, closed by `deinit`.
///
/// Calls block the thread. One thread at a time uses it: that of its `ServerConnection`. A transaction begins with its
/// first statement (`autocommit` is off).
@safe
final class MariaDBLink: ServerLink {
  static let dialect = SQLDialect.mariadb

  private let handle: UnsafeMutablePointer<MYSQL>
  /// The statements that the server has prepared for this connection, by number.
  private var prepared: [Int: PreparedStatement] = [:]
  /// Those that it runs as one command.
  private var batches = StatementBatches()
  /// What is sent together with what comes next.
  private var keptBack: [SQLCall] = []
  /// The command that commits, after what is kept back, if one is prepared for that.
  private var ending: PreparedStatement?
  /// What was sent and not answered yet, in order.
  private var sent: [SentCommand] = []
  /// The bytes that were sent after the first statement of these that has rows.
  private var sentAfterRows = 0
  /// The rows of each statement that was answered, until they are asked for.
  private var answers: [[SQLRow]] = []
  private(set) var isSpent = false
  /// In a cluster, the row of this connection with the number of its last commit, 0 before the first.
  var sentCommit: SentCommit?
  /// The databases in which tables lie.
  var places = TablePlaces()

  var silenceLimit: Duration? {
    // Also where it stays nil: the time limit of connecting ends then.
    didSet { unsafe cmariadb_set_read_timeout(handle, silenceLimit.map(\.seconds) ?? 0) }
  }

  /// Whether the server runs several statements as one command; others are refused once they have told their name.
  var takesBatches = false

  init(owning handle: UnsafeMutablePointer<MYSQL>) { unsafe self.handle = handle }

  deinit {
    (ending, batches, prepared) = (nil, StatementBatches(), [:])
    unsafe mysql_close(handle)
  }

  /// The server's name and version, as it says them.
  var server: String {
    unsafe mysql_get_server_info(handle).map { unsafe String(cString: $0) } ?? ""
  }

  private var failure: ServerFailure { unsafe ServerFailure(of: handle) }
}

// MARK: - Units of work

extension MariaDBLink {
  /// A reader has one snapshot for all its statements, so that a total and its page agree.
  ///
  /// A writer's statements see
  /// committed rows, as the session says, and lock the rows that they read.
  func begin(_ access: SQLRecords.Access) throws(ServerFailure) {
    keptBack = access == .reading ? [SQLCall(.beginReading, [])] : []
  }

  /// Runs all statements in one exchange.
  func query(_ calls: [SQLCall]) throws(ServerFailure) -> [[SQLRow]] {
    guard !calls.isEmpty else { return [] }
    try send(takeKeptBack() + calls)
    return try takeAnswers(calls.count)
  }

  func rows(of call: SQLCall) throws(ServerFailure) -> [SQLRow] {
    try query([call]).first ?? []
  }

  func execute(_ call: SQLCall) throws(ServerFailure) -> Int {
    // By itself, as the answer to several does not count rows.
    try send(takeKeptBack())
    try send([call])
    _ = try takeAnswers(1)
    guard let statement = prepared[call.statement.number] else { return 0 }
    // Of an update, the server counts the rows that became others, and tells in words how many it found.
    if statement.isUpdate, let information = unsafe mysql_info(handle) {
      return unsafe String(cString: information).firstNumber
    }
    return statement.writtenRows
  }

  /// Keeps rows back until the next statement or the commit; many are sent without waiting for answers.
  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) throws(ServerFailure) {
    for row in rows {
      keptBack.append(SQLCall(statement, row))
      if keptBack.count > StatementBatches.longest { try send(takeKeptBack()) }
    }
  }

  private func takeKeptBack() -> [SQLCall] {
    defer { keptBack.removeAll(keepingCapacity: true) }
    return keptBack
  }

  /// Waits until everything is answered, and returns the rows of the last statements.
  private func takeAnswers(_ count: Int) throws(ServerFailure) -> [[SQLRow]] {
    try readAnswers()
    defer { answers.removeAll(keepingCapacity: true) }
    return answers.suffix(count)
  }

  private func statement(_ statement: SQLStatement) throws(ServerFailure) -> PreparedStatement {
    if let known = prepared[statement.number] { return known }
    let new = try prepare { () throws(ServerFailure) in
      try unsafe PreparedStatement(statement, in: places, on: handle)
    }
    prepared[statement.number] = new
    return new
  }

  /// The command that runs statements in their order, and then may commit; nil where one is enough or they are many.
  private func batch(
    of calls: [SQLCall], commits: Bool = false
  ) throws(ServerFailure) -> PreparedStatement? {
    guard takesBatches, let key = StatementBatches.Key(calls, commits: commits) else { return nil }
    if let known = batches[key] { return known }
    let statements = calls.map(\.statement)
    let new = try prepare { () throws(ServerFailure) in
      try unsafe PreparedStatement(statements, commits: commits, in: places, on: handle)
    }
    if let new { batches[key] = new }
    return new
  }

  private func prepare<Prepared>(
    _ make: () throws(ServerFailure) -> Prepared
  ) throws(ServerFailure) -> Prepared {
    // Preparing waits for its own answer.
    try readAnswers()
    do throws(ServerFailure) {
      return try make()
    } catch {
      // All connections together have a limit; some of this one's are kept for nothing.
      guard error.isFullOfStatements, !(prepared.isEmpty && batches.isEmpty) else { throw error }
      (batches, prepared) = (StatementBatches(), [:])
      return try make()
    }
  }

  /// Checks that the server has not ended the connection, and that its node still takes what is written.
  ///
  /// It says nothing unless it is asked.
  ///
  /// What is kept back is sent with the commit where one command does both, as that ends with the first failure. All
  /// else is answered before: the server would commit what there is of a unit that failed in part.
  func checkBeforeCommit() throws(ServerFailure) {
    ending = sentCommit == nil ? try batch(of: keptBack, commits: true) : nil
    if ending == nil { try send(takeKeptBack()) }
    try readAnswers()
    guard !hasInput else { throw .lost("the server has ended the connection") }
    try markCommit()
  }

  func commit() throws(ServerFailure) {
    guard let ending else { return try run("COMMIT") }
    self.ending = nil
    try send(ending, takeKeptBack())
    do throws(ServerFailure) {
      try readAnswers()
    } catch {
      // A command that somebody ends, or that takes too long, may have committed before.
      guard case .unavailable(_, let detail) = error.reported else { throw error }
      throw .lost(detail)
    }
  }

  func tookPlace(_ commit: SentCommit, within limit: Duration) throws(ServerFailure) -> Bool {
    try end(commit)
  }

  func endReading() throws(ServerFailure) { try end("COMMIT") }

  func rollBack() throws(ServerFailure) { try end("ROLLBACK") }

  /// Sends the end of a unit of work, after which nobody asks for the answers to what it has sent.
  private func end(_ sql: String) throws(ServerFailure) {
    keptBack.removeAll()
    for index in sent.indices { sent[index].isForgotten = true }
    // A server that cannot get rid of its rows does not come to the end.
    try readAnswers()
    try send(sql)
    sent[sent.count - 1].isForgotten = true
  }

  /// Takes a lock of the database's name, which is released when this connection is closed.
  func becomeMigrator() throws(ServerFailure) {
    isSpent = true
    // The migration of another process may take longer than ordinary work may.
    try run(
      """
      SET SESSION max_statement_time = 0, lock_wait_timeout = 31536000,
        innodb_lock_wait_timeout = 31536000, idle_transaction_timeout = 0
      """)
    let answer = try rows(of: SQLCall(.migrationLock, []))
    guard answer.first == [.integer(1)] else {
      throw .lost("the lock of the migration was refused")
    }
  }
}

extension SQLStatement {
  /// Names of locks are common to all databases of a server, and short.
  fileprivate static let migrationLock = SQLStatement(
    "migration_lock", "SELECT GET_LOCK('storekeeper.' || MD5(DATABASE()), 31536000)")
}

extension String {
  fileprivate var firstNumber: Int {
    Int(drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
  }
}

extension Duration {
  /// Whole seconds, rounded up, at least one.
  var seconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(clamping: max(1, seconds + (attoseconds > 0 ? 1 : 0)))
  }
}

// MARK: - Commands

/// A command that was sent.
private struct SentCommand {
  /// The statements; nil for a command that has no rows.
  var statements: (prepared: PreparedStatement, texts: [SQLStatement])?
  /// Whether the unit of work that sent it is over.
  var isForgotten = false
}

extension MariaDBLink {
  /// Runs a command that has no rows.
  func run(_ sql: String) throws(ServerFailure) {
    try readAnswers()
    guard unsafe mysql_real_query(handle, sql, UInt(sql.utf8.count)) == 0 else { throw failure }
  }

  /// Sends a command that has no rows, without waiting for its answer.
  private func send(_ sql: String) throws(ServerFailure) {
    guard unsafe mysql_send_query(handle, sql, UInt(sql.utf8.count)) == 0 else { throw failure }
    sent.append(SentCommand())
  }

  /// Sends statements without waiting for their answers, as one command unless they are many.
  private func send(_ calls: [SQLCall]) throws(ServerFailure) {
    if let batch = try batch(of: calls) { return try send(batch, calls) }
    // Whoever prepares one waits for the answers to those before it.
    let statements = try calls.map { call throws(ServerFailure) in try statement(call.statement) }
    for (statement, call) in zip(statements, calls) { try send(statement, [call]) }
  }

  /// Sends a command without waiting for its answer.
  ///
  /// The server does not read on while its answers find no room. So few commands are sent that their short answers find
  /// room; after one with rows, whose answer may be long, so little is sent that it finds room itself.
  private func send(
    _ statement: PreparedStatement, _ calls: [SQLCall]
  ) throws(ServerFailure) {
    var values = statement.bound(calls)
    let hasRows = sent.contains { $0.statements?.prepared.hasRows ?? false }
    let size = hasRows ? sentAfterRows + values.size : 0
    if !sent.isEmpty,
      !PreparedStatement.goesAhead || sent.count >= Self.mostSent || size > Self.mostSentAfterRows
    {
      try readAnswers()
    } else {
      sentAfterRows = size
    }
    try statement.send(&values)
    sent.append(SentCommand(statements: (statement, calls.map(\.statement))))
  }

  // Less than what a socket takes whose other end reads nothing: Linux takes some 200 messages, macOS 8 KiB.
  private static let mostSent = 64
  private static let mostSentAfterRows = 4 << 10

  /// Waits until everything is answered, and keeps the rows.
  private func readAnswers() throws(ServerFailure) {
    guard !sent.isEmpty else { return }
    let commands = sent
    sent.removeAll(keepingCapacity: true)
    sentAfterRows = 0
    var failure: (error: ServerFailure, command: SentCommand)?
    for command in commands {
      do throws(ServerFailure) {
        try readAnswer(to: command)
      } catch {
        // Nothing comes after the loss of the connection.
        if error.cause == .lost || failure == nil { failure = (error, command) }
        if error.cause == .lost { break }
      }
    }
    if let failure {
      answers.removeAll()
      throw try named(failure.error, in: failure.command)
    }
  }

  private func readAnswer(to command: SentCommand) throws(ServerFailure) {
    guard let statements = command.statements else {
      guard unsafe mysql_read_query_result(handle) != 0 else { return }
      throw command.isForgotten ? .lost(failure.detail) : failure
    }
    do throws(ServerFailure) {
      let rows = try statements.prepared.receive()
      if !command.isForgotten { answers += rows }
    } catch {
      guard command.isForgotten, error.cause != .lost else { throw error }
    }
  }

  /// The same failure with the name that a primary key has elsewhere; in MariaDB all have one name.
  private func named(
    _ failure: ServerFailure, in command: SentCommand
  ) throws(ServerFailure) -> ServerFailure {
    guard failure.isOfPrimaryKey, let texts = command.statements?.texts else { return failure }
    var number = 0
    if texts.count > 1 {
      keptBack.removeAll()
      guard case .integer(let failed)? = try rows(of: SQLCall(.duplicate, [])).first?.first else {
        return failure
      }
      number = Int(failed)
    }
    return texts.indices.contains(number) ? failure.naming(tableOf: texts[number]) : failure
  }

  private var hasInput: Bool {
    var descriptor = pollfd(
      fd: Int32(truncatingIfNeeded: unsafe mysql_get_socket(handle)), events: Int16(POLLIN),
      revents: 0)
    return unsafe poll(&descriptor, 1, 0) > 0
  }
}
