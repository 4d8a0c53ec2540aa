internal import SQLStorage

/// How far the transaction of a unit of work is.
enum UnitPhase {
  /// There is no unit of work.
  case none
  /// Nothing was sent yet; the beginning goes with the first statement.
  case due(begin: SQLStatement)
  case open
  /// The server will take nothing more than the end of it.
  case failed(ServerFailure)
}
