internal import StorekeeperLocks
package import SQLStorage

/// Statements that are to fail, and how often they run.
///
/// So tests see what a store does where a disk or another process is in the way.
package final class SQLiteFaults: Hashable, Sendable {
  private let failures: Locked<[String: [SQLFailure?]]>
  private let runs = Locked<[String: Int]>([:])

  /// For names of statements, what their next runs give, nil for one that works; after these they work.
  package init(_ failures: [String: [SQLFailure?]]) { self.failures = Locked(failures) }

  /// How often the statement with this name was begun.
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

  /// Only the same object is the same.
  package static func == (one: SQLiteFaults, other: SQLiteFaults) -> Bool { one === other }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
