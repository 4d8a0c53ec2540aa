internal import PurchaseStorage

/// An open connection to a database server, closed when it is released.
///
/// Calls block the thread. One thread at a time uses it: that of its ``ServerConnection``. After a failure the server
/// accepts nothing but the end of the transaction.
package protocol ServerLink: AnyObject {
  static var dialect: SQLDialect { get }

  /// The time for which the server may be silent while an answer is due; nil for no limit.
  var silenceLimit: Duration? { get set }

  /// Whether it is closed after the present unit of work.
  var isSpent: Bool { get }

  /// Begins a transaction, at the latest with the next statement.
  func begin(_ access: SQLRecords.Access) throws(ServerFailure)

  /// Runs statements in order, each with a snapshot of its own, and returns the rows of each.
  func query(_ calls: [SQLCall]) throws(ServerFailure) -> [[SQLRow]]

  /// Runs a statement, and returns the number of rows that it found to change.
  func execute(_ call: SQLCall) throws(ServerFailure) -> Int

  /// Runs a statement for each of the lists of values, at the latest with the next statement or the commit.
  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) throws(ServerFailure)

  /// Throws a failure that is known before the commit is sent.
  func checkBeforeCommit() throws(ServerFailure)

  /// Commits.
  ///
  /// If the connection is lost meanwhile, the outcome is unknown, as it is after a commit that a standby has not
  /// confirmed.
  func commit() throws(ServerFailure)

  /// The last commit that was sent, if its outcome can be asked for.
  var sentCommit: SentCommit? { get }

  /// Returns whether a commit of another connection, whose answer was lost, took place; afterwards it cannot.
  ///
  /// It waits for the transaction of the commit, for the time limit at most; then it throws a conflict.
  func tookPlace(_ commit: SentCommit, within limit: Duration) throws(ServerFailure) -> Bool

  /// Tells that the connection is of no more use, before it is closed.
  func giveUp()

  /// Ends a transaction that only read, without waiting for the answer.
  func endReading() throws(ServerFailure)

  /// Rolls back, without waiting for the answer.
  func rollBack() throws(ServerFailure)

  /// Waits without a limit until no other process migrates.
  ///
  /// The lock is released at the end of the transaction, or with the connection.
  func becomeMigrator() throws(ServerFailure)
}

extension ServerLink {
  package var isSpent: Bool { false }
  package var sentCommit: SentCommit? { nil }

  package func tookPlace(
    _ commit: SentCommit, within limit: Duration
  ) throws(ServerFailure) -> Bool {
    throw .lost("the outcome of a commit cannot be asked for")
  }

  package func giveUp() {}
}

/// A commit, as a later connection asks for it: by a row that the transaction itself wrote.
package struct SentCommit: Hashable, Sendable {
  /// The key of the row, which belongs to the connection.
  package let row: String
  /// The number of the commit in its connection, from 1.
  package let number: Int64

  package init(row: String, number: Int64) {
    self.row = row
    self.number = number
  }
}

/// The server of a store's connections, with their settings.
package protocol ServerTarget: Sendable {
  associatedtype Link: ServerLink

  var limits: ServerLimits { get }

  /// The treatment of tables that the database has before a store makes its own.
  var existingTables: ExistingTables { get }

  /// The databases in which tables lie; none for a server without them.
  var places: TablePlaces { get }

  /// Makes one attempt to connect, which blocks the thread.
  func connect() throws(ServerFailure) -> Link

  /// Connects; a server that is starting, full or unreachable is retried until the time is over.
  ///
  /// - Throws: `Unreached`; `SQLFailure` if the server refuses permanently; `CancellationError`.
  func open(within patience: Duration) async throws -> Link

  /// Whether it is known that no server can be reached, although connections may be open.
  var isOutOfReach: Bool { get }

  /// Whether it is known that the server confirms no commit at present, so that units that write are refused.
  var isStalled: Bool { get }
}

/// The number of a store's connections, and its time limits.
package struct ServerLimits: Hashable, Sendable {
  /// The maximum number of open connections, at least one.
  package var connections: Int
  /// The time that a caller waits for a free connection.
  package var wait: Duration
  /// The time for which a unit of work retries a server that is starting, full or unreachable.
  package var reconnect: Duration
  /// The time for which the server may be silent while an answer is due; nil for no limit.
  package var answer: Duration?
  /// The time for which the outcome of a commit is asked for, if its answer was lost.
  package var outcome: Duration

  package init(
    connections: Int, wait: Duration, reconnect: Duration, answer: Duration?,
    outcome: Duration = .zero
  ) {
    self.connections = connections
    self.wait = wait
    self.reconnect = reconnect
    self.answer = answer
    self.outcome = outcome
  }
}

extension ServerTarget {
  package var places: TablePlaces { TablePlaces() }
  package var isOutOfReach: Bool { false }
  package var isStalled: Bool { false }

  package func open(within patience: Duration) async throws -> Link {
    try await retried(within: patience)
  }

  /// Attempts to connect again and again, after pauses.
  package func retried(within patience: Duration) async throws -> Link {
    let deadline = ContinuousClock.now + patience
    var pause = Duration.milliseconds(10)
    while true {
      do throws(ServerFailure) {
        return try connect()
      } catch {
        guard error.isTransient else { throw error.reported }
        guard .now + pause < deadline else { throw Unreached(failure: error.reported) }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }
}

/// A server that could not be reached within the time limit.
package struct Unreached: Error {
  package let failure: SQLFailure

  package init(failure: SQLFailure) { self.failure = failure }
}
