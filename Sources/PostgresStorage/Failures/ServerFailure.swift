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

/// An error code of PostgreSQL: five letters and digits.
///
/// Source: PostgreSQL, appendix A, "PostgreSQL Error Codes".
struct SQLState: RawRepresentable, Hashable, Sendable {
  let rawValue: String

  static let uniqueViolation = SQLState(rawValue: "23505")
  static let serializationFailure = SQLState(rawValue: "40001")
  static let deadlockDetected = SQLState(rawValue: "40P01")
  static let lockNotAvailable = SQLState(rawValue: "55P03")
  static let tooManyConnections = SQLState(rawValue: "53300")
  static let adminShutdown = SQLState(rawValue: "57P01")
  static let crashShutdown = SQLState(rawValue: "57P02")
  static let cannotConnectNow = SQLState(rawValue: "57P03")
  static let idleSessionTimeout = SQLState(rawValue: "57P05")
  static let idleInTransactionTimeout = SQLState(rawValue: "25P03")
  static let invalidPassword = SQLState(rawValue: "28P01")
  static let statementCanceled = SQLState(rawValue: "57014")
  static let transactionRollback = SQLState(rawValue: "40000")
  /// Also a prepared statement whose columns have changed their types, and a write on a standby.
  static let notSupported = SQLState(rawValue: "0A000")
  static let unknownStatement = SQLState(rawValue: "26000")
  static let readOnly = SQLState(rawValue: "25006")
  static let unknown = SQLState(rawValue: "XX000")

  /// Whether the unit of work may succeed if it runs again.
  var isConflict: Bool {
    [.serializationFailure, .deadlockDetected, .lockNotAvailable].contains(self)
  }

  /// Whether the server ends the connection with it.
  var endsConnection: Bool {
    [
      .adminShutdown, .crashShutdown, .cannotConnectNow, .idleSessionTimeout,
      .idleInTransactionTimeout,
    ].contains(self)
  }

  /// Whether a new connection may succeed where this one fails: its prepared statements are lost or
  /// out of date, or its server became a standby.
  var needsNewConnection: Bool { [.notSupported, .unknownStatement, .readOnly].contains(self) }

  /// Whether a later attempt to connect may succeed.
  var isTransient: Bool { endsConnection || self == .tooManyConnections }

  /// The code as a number: its five characters as digits of base 36.
  var number: Int { Int(rawValue, radix: 36) ?? 0 }
}

struct UnitFailure: Error {
  enum Cause: Hashable {
    /// An error of its own, or an unknown one: it is not retried.
    case own
    /// A conflict with another unit of work.
    case conflict
    /// The connection was lost before the commit was sent, or cannot be used any more.
    case lost
  }

  let cause: Cause
  /// The error for the caller, unless the unit of work is retried.
  let reported: any Error

  /// Creates a failure from the error of the closure or of the end of the transaction.
  init(_ error: any Error, in phase: UnitPhase) {
    if case .failed(let failure) = phase, !Self.isUncertain(error) {
      cause = failure.cause
      // The closure's error is more precise, unless the cause lies outside of the unit of work.
      reported = cause == .own ? error : failure.reported
    } else {
      cause = Self.isConflict(error) ? .conflict : .own
      reported = error
    }
  }

  private static func isConflict(_ error: any Error) -> Bool {
    error as? SQLFailure == .conflict || error as? StorageFailure == .conflict
  }

  private static func isUncertain(_ error: any Error) -> Bool {
    guard case .unavailable(mayHaveCommitted: true, _) = error as? SQLFailure else { return false }
    return true
  }
}
