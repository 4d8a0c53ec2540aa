internal import PurchaseStorage
internal import SQLStorage

/// What the server or libpq reported; no values and no secrets are in it.
enum ServerFailure: Error, Hashable, Sendable {
  /// The server refused a statement; the connection is still there.
  case refused(SQLState, detail: String, constraint: String?)
  /// The connection is gone.
  case lost(detail: String)

  /// The same as the repositories know it.
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

  /// What it means for the unit of work.
  var cause: UnitFailure.Cause {
    switch self {
    case .lost: .lost
    case .refused(let state, _, _) where state.needsNewConnection: .lost
    case .refused(let state, _, _): state.isConflict ? .conflict : .own
    }
  }
}

extension ServerFailure {
  /// A failure as the server tells it.
  ///
  /// - Parameters:
  ///   - state: The code.
  ///   - constraint: The name of the constraint that a statement would have broken.
  ///   - text: The server's text. Those of the classes 22 (data) and 23 (constraints) may show values
  ///     and are left out.
  init(_ state: SQLState, constraint: String?, text: String?) {
    let showsValues = state.rawValue.hasPrefix("22") || state.rawValue.hasPrefix("23")
    let reason = showsValues ? constraint : text
    let detail = "SQLSTATE \(state.rawValue)" + (reason.map { ": \($0)" } ?? "")
    self =
      state.endsConnection
      ? .lost(detail: detail) : .refused(state, detail: detail, constraint: constraint)
  }
}
