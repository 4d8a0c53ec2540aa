/// The code of an error of PostgreSQL, five letters and digits.
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
  static let unknown = SQLState(rawValue: "XX000")

  /// Whether the unit of work may succeed when it is run again.
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

  /// Whether a later attempt to connect may succeed.
  var isPassing: Bool { endsConnection || self == .tooManyConnections }

  /// The same as a number: its five characters as digits of base 36.
  var number: Int { Int(rawValue, radix: 36) ?? 0 }
}
