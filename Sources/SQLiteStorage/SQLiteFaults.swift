internal import LockSupport
package import SQLStorage

/// Statements that are to fail: so tests see what a store does where a disk or another process is in
/// the way.
package final class SQLiteFaults: Hashable, Sendable {
  private let failures: Locked<[String: [SQLFailure?]]>

  /// For names of statements, what their next runs give, nil for one that works; after these they work.
  package init(_ failures: [String: [SQLFailure?]]) { self.failures = Locked(failures) }

  func check(_ statement: SQLStatement) throws(SQLFailure) {
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
