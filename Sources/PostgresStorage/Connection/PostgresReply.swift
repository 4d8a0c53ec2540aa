internal import CStorekeeperPostgreSQL
internal import SQLStorage

/// A result of libpq, freed by `deinit`.
@safe
struct PostgresReply: ~Copyable {
  private let handle: OpaquePointer

  init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe PQclear(handle) }

  var status: ExecStatusType { unsafe PQresultStatus(handle) }

  /// The command that was run, with the number of rows that it changed.
  var command: String { unsafe String(cString: PQcmdStatus(handle)) }

  /// The number of rows that the command changed or returned.
  var rowCount: Int { unsafe Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  var rows: [SQLRow] {
    let columns = unsafe 0..<PQnfields(handle)
    let kinds = columns.map { unsafe ColumnKind(type: PQftype(handle, $0)) }
    return unsafe (0..<PQntuples(handle)).map { row in
      columns.map { value(row: row, column: $0, kind: kinds[Int($0)]) }
    }
  }

  private func value(row: Int32, column: Int32, kind: ColumnKind) -> SQLValue {
    guard unsafe PQgetisnull(handle, row, column) == 0 else { return .null }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    return unsafe kind.value(bytes)
  }

  var failure: ServerFailure {
    let state = unsafe Self.text(cpostgresql_error_state(handle)).map(SQLState.init(rawValue:))
    let constraint = unsafe Self.text(cpostgresql_error_constraint(handle))
    return ServerFailure(
      state ?? .unknown, constraint: constraint,
      text: unsafe Self.text(cpostgresql_error_text(handle)))
  }

  /// Whether a notice of the server is a warning.
  static func isWarning(_ notice: OpaquePointer) -> Bool {
    unsafe text(cpostgresql_error_state(notice)) == SQLState.warning.rawValue
  }

  private static func text(_ field: UnsafePointer<CChar>?) -> String? {
    guard let field = unsafe field else { return nil }
    return unsafe String(cString: field)
  }
}

/// The type of a column, which decides how its text is read.
enum ColumnKind {
  case integer, boolean, text

  /// Creates the kind from a type's number in `pg_type`, which is fixed for these types.
  init(type: UInt32) {
    switch type {
    case 20, 21, 23: self = .integer
    case 16: self = .boolean
    default: self = .text
    }
  }

  func value(_ bytes: UnsafeRawBufferPointer) -> SQLValue {
    switch self {
    case .integer: unsafe .integer(Self.number(bytes))
    case .boolean: unsafe .integer(bytes.first == UInt8(ascii: "t") ? 1 : 0)
    case .text: unsafe .text(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Reads decimal digits; the server sends a 64-bit number at most.
  private static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    let isNegative = unsafe bytes.first == UInt8(ascii: "-")
    let size = unsafe bytes.dropFirst(isNegative ? 1 : 0).reduce(into: UInt64(0)) { sum, byte in
      sum = sum &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
    }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- size : size)
  }
}
