internal import CPostgreSQL
internal import SQLStorage

/// One result of libpq; freed when it is let go.
@safe
struct ServerReply: ~Copyable {
  private let handle: OpaquePointer

  init(owning handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit { unsafe PQclear(handle) }

  var status: ExecStatusType { unsafe PQresultStatus(handle) }

  /// The command that was run, with how many rows it changed.
  var command: String { unsafe String(cString: PQcmdStatus(handle)) }

  /// How many rows the command changed or gave.
  var rowCount: Int { unsafe Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  var rows: [SQLRow] {
    let columns = unsafe 0..<PQnfields(handle)
    let kinds = unsafe columns.map { unsafe ColumnKind(type: PQftype(handle, $0)) }
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

  /// The failure that the server reports; its own text only where it cannot hold values.
  var failure: ServerFailure {
    let state = field(PG_DIAG_SQLSTATE).map(SQLState.init(rawValue:)) ?? .unknown
    let detail = "SQLSTATE \(state.rawValue)" + (safeText(state).map { ": \($0)" } ?? "")
    guard !state.endsConnection else { return .lost(detail: detail) }
    return .refused(state, detail: detail, constraint: field(PG_DIAG_CONSTRAINT_NAME))
  }

  /// Errors of classes 22 (data) and 23 (constraints) show values.
  private func safeText(_ state: SQLState) -> String? {
    guard !state.rawValue.hasPrefix("22"), !state.rawValue.hasPrefix("23") else {
      return field(PG_DIAG_CONSTRAINT_NAME)
    }
    return field(PG_DIAG_MESSAGE_PRIMARY)
  }

  private func field(_ code: Int32) -> String? {
    guard let text = unsafe PQresultErrorField(handle, code) else { return nil }
    return unsafe String(cString: text)
  }
}
