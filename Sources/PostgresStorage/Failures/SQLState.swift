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
  var needsNewConnection: Bool {
    [.notSupported, .unknownStatement, .readOnly].contains(self)
  }

  /// Whether a later attempt to connect may succeed.
  var isTransient: Bool { endsConnection || self == .tooManyConnections }

  /// The code as a number: its five characters as digits of base 36.
  var number: Int { Int(rawValue, radix: 36) ?? 0 }
}
