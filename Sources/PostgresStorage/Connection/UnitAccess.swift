/// What a unit of work may do, and how its transaction begins.
enum UnitAccess {
  /// One snapshot for all statements, so that a total and its page agree.
  case read
  /// Each statement sees what is committed; rows are locked by what reads them.
  case write

  var begin: String {
    switch self {
    case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    case .write: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    }
  }
}
