internal import CStorekeeperMariaDB
internal import SQLStorage

// Error codes of MariaDB and its library.
//
// Source: MariaDB Knowledge Base, "MariaDB Error Codes".
extension ServerFailure {
  /// Creates a failure from the report on a statement.
  ///
  /// Texts of the classes 22 (data) and 23 (constraints) may show values and are left out.
  init(code: UInt32, state: String, text: String) {
    let showsValues = state.hasPrefix("22") || state.hasPrefix("23")
    let detail = "error \(code) (\(state))" + (showsValues ? "" : ": \(text)")
    switch code {
    case _ where Self.losses.contains(code): self = .lost(detail)
    // ER_DUP_ENTRY
    case 1062: self.init(.uniqueViolation(constraint: Self.key(in: text)))
    // ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK, ER_CHECKREAD; ER_TABLE_DEF_CHANGED: a table was changed after the snapshot
    case 1205, 1213, 1020, 1412: self.init(.conflict, cause: .conflict)
    // ER_QUERY_INTERRUPTED, ER_STATEMENT_TIMEOUT
    case 1317, 1969: self.init(.unavailable(mayHaveCommitted: false, detail: detail))
    default:
      self.init(
        .other(code: Int(code), detail: detail),
        cause: Self.needNewConnection.contains(code) ? .lost : .own)
    }
  }

  /// Creates a failure from the report of a connection.
  init(of connection: UnsafeMutablePointer<MYSQL>) {
    unsafe self.init(
      code: mysql_errno(connection), state: String(cString: mysql_sqlstate(connection)),
      text: String(cString: mysql_error(connection)))
  }

  /// Creates a failure from the report on an attempt to connect.
  init(connecting code: UInt32, text: String) {
    let detail = "error \(code): \(text)"
    switch code {
    case _ where Self.refusals.contains(code): self = .refused(detail)
    case 2000...: self = .lost(detail)
    case _ where Self.transient.contains(code): self = .lost(detail)
    default: self.init(.other(code: Int(code), detail: detail))
    }
  }

  /// A server that is there, and takes no connection at present.
  static func refused(_ detail: String) -> ServerFailure {
    ServerFailure(.unavailable(mayHaveCommitted: false, detail: detail), isTransient: true)
  }

  /// ER_CON_COUNT_ERROR, ER_TOO_MANY_USER_CONNECTIONS, ER_USER_LIMIT_REACHED, CR_SSL_CONNECTION_ERROR.
  private static let refusals: Set<UInt32> = [1040, 1203, 1226, 2026]

  /// The connection is lost.
  ///
  /// CR_SERVER_GONE_ERROR, CR_SERVER_LOST, CR_COMMANDS_OUT_OF_SYNC, CR_SSL_CONNECTION_ERROR,
  /// CR_SERVER_LOST_EXTENDED, ER_SERVER_SHUTDOWN, ER_NORMAL_SHUTDOWN, ER_CONNECTION_KILLED,
  /// ER_NEW_ABORTING_CONNECTION. In a cluster also a node that has lost the others: ER_UNKNOWN_COM_ERROR, and
  /// ER_ERROR_DURING_COMMIT, after which the outcome is unknown.
  private static let losses: Set<UInt32> = [
    2006, 2013, 2014, 2026, 2055, 1053, 1077, 1927, 1184, 1047, 1180,
  ]

  /// A new connection may succeed where this one fails.
  ///
  /// Its prepared statements are lost, or its server became one that only reads. ER_UNKNOWN_STMT_HANDLER, ER_NEED_REPREPARE, ER_OPTION_PREVENTS_STATEMENT.
  private static let needNewConnection: Set<UInt32> = [1243, 1615, 1290]

  /// A later attempt to connect may succeed.
  ///
  /// ER_HANDSHAKE_ERROR, ER_SERVER_SHUTDOWN, ER_CONNECTION_KILLED, and the losses.
  private static let transient: Set<UInt32> = [1043, 1053, 1927]

  /// Whether the server has no room for another prepared statement.
  ///
  /// ER_MAX_PREPARED_STMT_COUNT_REACHED.
  var isFullOfStatements: Bool {
    guard case .other(code: 1461, _) = reported else { return false }
    return true
  }

  /// The words for the records.
  var detail: String {
    switch reported {
    case .unavailable(_, let detail), .other(_, let detail): detail
    case .conflict: "conflict"
    case .uniqueViolation: "duplicate"
    }
  }

  /// The name of the key in a text that ends with it, in whatever language.
  private static func key(in text: String) -> String {
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count > 2 else { return "" }
    return String(parts[parts.count - 2].split(separator: ".").last ?? "")
  }

  var isOfPrimaryKey: Bool { reported == .uniqueViolation(constraint: "PRIMARY") }

  /// A duplicate in the primary key of the table that a statement changes, with the name that such a key has elsewhere.
  func naming(tableOf statement: SQLStatement) -> ServerFailure {
    let words = statement.sql.split { $0.isWhitespace }
    let table = words.first == "UPDATE" ? words.dropFirst().first : words.dropFirst(2).first
    return ServerFailure(.uniqueViolation(constraint: "\(table ?? "")_key"))
  }
}
