internal import StorekeeperLocks
package import SQLStorage

/// Statements that fail on purpose, and a count of their runs.
///
/// Tests simulate with it a failing disk or an interfering process.
package final class SQLiteFaults: Hashable, Sendable {
  private let failures: Locked<[String: [SQLFailure?]]>
  private let runs = Locked<[String: Int]>([:])

  /// Creates faults: for each statement name the outcomes of its next runs, nil for success; later
  /// runs succeed.
  package init(_ failures: [String: [SQLFailure?]]) { self.failures = Locked(failures) }

  /// Returns the number of times that the statement with this name was begun.
  package func count(_ name: String) -> Int { runs.withLock { $0[name, default: 0] } }

  func check(_ statement: SQLStatement) throws(SQLFailure) {
    runs.withLock { $0[statement.name, default: 0] += 1 }
    let failure: SQLFailure? = failures.withLock { failures in
      guard let next = failures[statement.name]?.first else { return nil }
      failures[statement.name]?.removeFirst()
      return next
    }
    if let failure { throw failure }
  }

  /// Whether two references are to the same object.
  package static func == (one: SQLiteFaults, other: SQLiteFaults) -> Bool { one === other }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
