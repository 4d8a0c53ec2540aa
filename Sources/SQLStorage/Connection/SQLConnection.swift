internal import Dispatch

/// One connection to a database inside a transaction, as a driver gives it to the repositories.
///
/// Laws: statements run in the order of their calls, inside the transaction that the driver began;
/// parameters are written `$1`, `$2` … in the text and are always bound, never spliced; after an error
/// the transaction is of no further use, and the driver rolls it back.
public protocol SQLConnection: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs a statement and gives its rows.
  func query(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> [SQLRow]

  /// Runs several statements in order, and gives the rows of each.
  ///
  /// Each sees what was done before it, as if it were run by itself. Drivers may send them together; by
  /// itself this runs one after the other.
  func query(_ calls: [SQLCall]) async throws -> [[SQLRow]]

  /// Runs a statement that gives no rows, and returns how many rows it changed.
  @discardableResult
  func execute(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> Int

  /// Runs a statement once for each of the lists of values, in order.
  ///
  /// Drivers may keep these back and send them with the next statement, or with the end of the
  /// transaction; an error of theirs is thrown there.
  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) async throws
}

/// The closure of a transaction, which runs where its caller runs.
public typealias SQLConnectionBody<Result> =
  nonisolated(nonsending) @Sendable (any SQLConnection) async throws -> Result

extension SQLConnection {
  /// One after the other.
  public func query(_ calls: [SQLCall]) async throws -> [[SQLRow]] {
    var answers: [[SQLRow]] = []
    for call in calls { answers.append(try await query(call.statement, call.values)) }
    return answers
  }
}

/// Runs the jobs of an actor one after the other on a serial queue of Dispatch, so that calls which
/// block never hold up Swift's cooperative threads.
package final class BlockingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
