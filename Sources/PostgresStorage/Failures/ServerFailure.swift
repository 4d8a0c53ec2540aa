internal import PurchaseStorage
internal import SQLStorage

/// A failure reported by the server or libpq; it holds no values and no secrets.
enum ServerFailure: Error, Hashable, Sendable {
  /// The server refused a statement; the connection is still open.
  case refused(SQLState, detail: String, constraint: String?)
  case lost(detail: String)

  /// The same failure for the records.
  var reported: SQLFailure {
    switch self {
    case .lost(let detail): .unavailable(mayHaveCommitted: false, detail: detail)
    case .refused(.uniqueViolation, _, let constraint):
      .uniqueViolation(constraint: constraint ?? "")
    case .refused(let state, _, _) where state.isConflict: .conflict
    case .refused(.statementCanceled, let detail, _):
      .unavailable(mayHaveCommitted: false, detail: detail)
    case .refused(let state, let detail, _): .other(code: state.number, detail: detail)
    }
  }

  /// The consequence for the unit of work.
  var cause: UnitFailure.Cause {
    switch self {
    case .lost: .lost
    case .refused(let state, _, _) where state.needsNewConnection: .lost
    case .refused(let state, _, _): state.isConflict ? .conflict : .own
    }
  }
}

extension ServerFailure {
  /// Creates a failure from the server's report.
  ///
  /// Texts of the classes 22 (data) and 23 (constraints) may show values and are left out.
  init(_ state: SQLState, constraint: String?, text: String?) {
    let showsValues = state.rawValue.hasPrefix("22") || state.rawValue.hasPrefix("23")
    let reason = showsValues ? constraint : text
    let detail = "SQLSTATE \(state.rawValue)" + (reason.map { ": \($0)" } ?? "")
    self =
      state.endsConnection
      ? .lost(detail: detail) : .refused(state, detail: detail, constraint: constraint)
  }
}
