internal import SQLStorage

extension SQLRecords.Access {
  /// How the transaction begins.
  ///
  /// A reader has one snapshot for all its statements, so that a total and its page agree; a writer's
  /// statements see what is committed, and lock the rows that they read.
  var begin: String {
    switch self {
    case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    case .writing: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    }
  }
}
