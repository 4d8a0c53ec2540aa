internal import CStorekeeperSQLite
internal import SQLStorage

/// A compiled statement, finalized by `deinit`.
@safe
final class SQLitePreparedStatement {
  private let handle: OpaquePointer
  private let database: SQLiteDatabase
  /// For each parameter, in the order of first appearance that SQLite uses, the index of its value.
  private let order: [Int]

  init(owning handle: OpaquePointer, of database: SQLiteDatabase) {
    unsafe self.handle = handle
    self.database = database
    order = unsafe Self.order(of: handle)
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Runs the statement with these values and returns its rows.
  func rows(_ values: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
    defer { reset() }
    try bind(values)
    var rows: [SQLRow] = []
    while try step() { rows.append(row()) }
    return rows
  }

  /// Runs the statement with these values for its effect.
  func run(_ values: [SQLValue]) throws(SQLFailure) {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  /// Steps to the next row; returns false at the end.
  private func step() throws(SQLFailure) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.failure(code)
    }
  }

  /// Resets the statement and releases the values; its error was thrown already.
  ///
  /// The limit of a statement's work holds for each run: SQLite would count the steps of all runs together.
  private func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
    database.note(steps: unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
  }

  // MARK: Values

  /// Binds the values; their texts stay in the database's room until ``reset()``, where SQLite reads them without a
  /// copy of its own.
  private func bind(_ values: [SQLValue]) throws(SQLFailure) {
    let room = database.texts
    room.empty(for: values)
    for (position, index) in order.enumerated() {
      guard values.indices.contains(index) else {
        throw .other(code: Int(SQLITE_RANGE), detail: "a parameter has no value")
      }
      let code = bind(values[index], at: Int32(position + 1), room)
      if code != SQLITE_OK { throw database.failure(code) }
    }
  }

  private func bind(_ value: SQLValue, at position: Int32, _ room: TextRoom) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, position)
    case .integer(let number): return unsafe sqlite3_bind_int64(handle, position, number)
    case .text(let text):
      let bytes = unsafe room.add(text)
      // Without a destructor SQLite neither copies nor frees the text.
      return unsafe sqlite3_bind_text(
        handle, position, bytes.baseAddress, Int32(clamping: bytes.count), nil)
    }
  }

  /// Returns the value index of each parameter: SQLite numbers `$1`, `$2` … by first appearance.
  private static func order(of handle: OpaquePointer) -> [Int] {
    (0..<(unsafe sqlite3_bind_parameter_count(handle))).map { position in
      guard let name = unsafe sqlite3_bind_parameter_name(handle, position + 1),
        let number = unsafe Int(String(cString: name).dropFirst())
      else { return -1 }
      return number - 1
    }
  }

  // MARK: Columns

  private func row() -> SQLRow { (0..<(unsafe sqlite3_column_count(handle))).map(column) }

  private func column(_ index: Int32) -> SQLValue {
    switch unsafe sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER, SQLITE_FLOAT: .integer(unsafe sqlite3_column_int64(handle, index))
    case SQLITE_TEXT: .text(text(index))
    default: .null
    }
  }

  private func text(_ index: Int32) -> String {
    // SQLite wants the pointer before the length; it is valid until the next step.
    guard let start = unsafe sqlite3_column_text(handle, index) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(handle, index))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
