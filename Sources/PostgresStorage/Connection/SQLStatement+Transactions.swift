internal import SQLStorage

extension SQLStatement {
  /// How the transaction begins.
  ///
  /// A reader has one snapshot for all its statements, so that a total and its page agree; a writer's
  /// statements see what is committed, and lock the rows that they read.
  static func begin(_ access: SQLRecords.Access) -> SQLStatement {
    switch access {
    case .reading: beginReading
    case .writing: beginWriting
    }
  }

  private static let beginReading = SQLStatement(
    "begin_reading", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  private static let beginWriting = SQLStatement(
    "begin_writing", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  static let commit = SQLStatement("commit", "COMMIT")
  static let rollback = SQLStatement("rollback", "ROLLBACK")
}
