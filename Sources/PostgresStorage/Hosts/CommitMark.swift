internal import SQLStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The row by which a connection's commits are found again after their answers were lost.
///
/// Each connection has a row of its own, and each commit of a transaction that wrote puts its number there, in the
/// same exchange and the same transaction. The question for an outcome reads the number and ends the row: it waits
/// for the transaction if that still runs, and afterwards none of the connection can commit any more, even if its
/// commit is on its way in a network or in a frozen server. So the answer stays true. It is true after a failover
/// too, because the row was replicated with everything else that the transaction wrote.
///
/// The number of a transaction in the server (`pg_xact_status`) would cost the same, and no row. But a promoted
/// standby gives numbers anew that it never heard of, and would then tell of another transaction.
struct CommitMark: Hashable, Sendable {
  /// The row of the connection.
  let row: String
  /// The number of the commit, from 1.
  var number: Int64 = 0

  /// Creates the mark of a new connection, which has not committed yet.
  init() { row = UUID().uuidString }
}

extension SQLStatement {
  /// The table of the marks in the first schema of the search path; a row if it is there.
  static let findMarks = SQLStatement(
    "commit_find_marks",
    """
    SELECT 1::bigint FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relname = 'storekeeper_commit'
    """)

  /// A row is changed at each commit, so there is room for its next forms beside it.
  static let createMarks = SQLStatement(
    "commit_create_marks",
    """
    CREATE TABLE storekeeper_commit (
      connection UUID NOT NULL CONSTRAINT storekeeper_commit_key PRIMARY KEY,
      number BIGINT NOT NULL,
      ended_at BIGINT,
      changed TIMESTAMPTZ NOT NULL) WITH (fillfactor = 50)
    """)

  /// Nobody asks for the outcome of a commit after a day.
  static let removeMarks = SQLStatement(
    "commit_remove_marks",
    "DELETE FROM storekeeper_commit WHERE changed < now() - INTERVAL '1 day'")

  /// Marks a commit, unless the transaction wrote and locked nothing; it fails where the row has ended.
  static let mark = SQLStatement(
    "commit_mark",
    """
    INSERT INTO storekeeper_commit AS mark (connection, number, changed)
    SELECT $1::uuid, $2::bigint, now() WHERE pg_current_xact_id_if_assigned() IS NOT NULL
    ON CONFLICT (connection) DO UPDATE SET changed = excluded.changed,
      number = CASE WHEN mark.ended_at IS NULL THEN excluded.number ELSE 1 / (mark.number * 0) END
    """)

  /// Ends a row, after the transaction that changes it, and tells the number of its last commit.
  static let endMarks = SQLStatement(
    "commit_end_marks",
    """
    INSERT INTO storekeeper_commit AS mark (connection, number, ended_at, changed)
    VALUES ($1::uuid, 0, 0, now())
    ON CONFLICT (connection) DO UPDATE SET changed = excluded.changed,
      ended_at = coalesce(mark.ended_at, mark.number)
    RETURNING ended_at
    """)
}
