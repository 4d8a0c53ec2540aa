internal import SQLStorage

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
  /// Also the refusal of a pooler that has no room, or no server behind it.
  static let protocolViolation = SQLState(rawValue: "08P01")
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
  static let duplicateStatement = SQLState(rawValue: "42P05")
  static let readOnly = SQLState(rawValue: "25006")
  static let unknown = SQLState(rawValue: "XX000")
  static let warning = SQLState(rawValue: "01000")

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

extension ServerFailure {
  /// Creates a failure from the server's report on a statement.
  ///
  /// Texts of the classes 22 (data) and 23 (constraints) may show values and are left out.
  init(_ state: SQLState, constraint: String?, text: String?) {
    let showsValues = state.rawValue.hasPrefix("22") || state.rawValue.hasPrefix("23")
    let reason = showsValues ? constraint : text
    let detail = "SQLSTATE \(state.rawValue)" + (reason.map { ": \($0)" } ?? "")
    switch state {
    case _ where state.endsConnection: self = .lost(detail)
    case .uniqueViolation: self.init(.uniqueViolation(constraint: constraint ?? ""))
    case _ where state.isConflict: self.init(.conflict, cause: .conflict)
    case .statementCanceled: self.init(.unavailable(mayHaveCommitted: false, detail: detail))
    default:
      self.init(
        .other(code: state.number, detail: detail), cause: state.needsNewConnection ? .lost : .own)
    }
  }

  /// The answer to a commit of a transaction that had failed.
  static let rolledBack = ServerFailure(
    .other(code: SQLState.transactionRollback.number, detail: "the server rolled back"))
}

// MARK: - Failures to connect

extension ServerFailure {
  /// Reads libpq's verbose message, `…FATAL:  28P01: text`, followed by a line with the place in
  /// the source.
  ///
  /// The words may be translated; their order is fixed. libpq itself gives up when the server asks for a password and
  /// there is none.
  init(verboseMessage message: String, needsPassword: Bool) {
    let lines = message.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
    let text = lines.joined(separator: "; ")
    let code = text.split(separator: ":  ").dropFirst().first?.prefix { $0 != ":" }
    let state =
      code.flatMap { Self.isCode($0) ? SQLState(rawValue: String($0)) : nil }
      ?? (needsPassword ? .invalidPassword : nil)
    switch state {
    // The server is there, or a pooler before it.
    case .tooManyConnections?, .protocolViolation?:
      self.init(.unavailable(mayHaveCommitted: false, detail: text), isTransient: true)
    case let state? where !state.isTransient:
      self.init(.other(code: state.number, detail: text))
    default: self = .lost(text)
    }
  }

  /// Whether no server could be asked, because its name is not known now or there is no descriptor for a socket.
  ///
  /// libpq has words for it and no code. Where the host has them translated, the failure counts as that of the server.
  var isUnasked: Bool {
    guard case .unavailable(_, let detail) = reported else { return false }
    return detail.hasPrefix("could not translate host name")
      || detail.contains("could not create socket: Too many open files")
  }

  private static func isCode(_ text: Substring) -> Bool {
    text.utf8.count == 5 && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
  }
}
