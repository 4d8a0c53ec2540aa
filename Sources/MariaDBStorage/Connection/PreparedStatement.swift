internal import CStorekeeperMariaDB
internal import SQLStorage

/// A statement that the server has prepared for a connection, or several that it runs as one command; closed by
/// `deinit`.
///
/// Of several it runs none after one that failed. Its memory is reached by pointers because the library writes the values
/// of a row there.
@safe
final class PreparedStatement {
  private let handle: UnsafeMutablePointer<MYSQL_STMT>
  private let connection: UnsafeMutablePointer<MYSQL>
  private var parts: [Part]
  /// Whether the server tells the end of the command after the rows of its statements.
  private var isBatch = false

  /// One of the statements.
  fileprivate struct Part {
    /// The number of the value, from 0, for each of the places in the text.
    let places: [Int]
    let isUpdate: Bool
    let hasRows: Bool
    var row: RowRoom?
  }

  /// Has a statement prepared.
  convenience init(
    _ statement: SQLStatement, in tables: TablePlaces, on connection: UnsafeMutablePointer<MYSQL>
  ) throws(ServerFailure) {
    let text = PlacedText(tables.qualified(statement.text(.mariadb)))
    try unsafe self.init(text.sql, [text.part], on: connection)
  }

  /// Has statements prepared as one command, with a commit at its end or without; nil if one is not of those whose
  /// answers are known from their texts.
  convenience init?(
    _ statements: [SQLStatement], commits: Bool, in tables: TablePlaces,
    on connection: UnsafeMutablePointer<MYSQL>
  ) throws(ServerFailure) {
    let texts = statements.map { PlacedText(tables.qualified($0.text(.mariadb))) }
    guard texts.allSatisfy(\.isUsual) else { return nil }
    var sql = "BEGIN NOT ATOMIC\n"
    for (number, text) in texts.enumerated() { sql += "\(text.step(number)); " }
    try unsafe self.init(sql + (commits ? "COMMIT; END" : "END"), texts.map(\.part), on: connection)
    isBatch = true
  }

  private init(
    _ sql: String, _ parts: [Part], on connection: UnsafeMutablePointer<MYSQL>
  ) throws(ServerFailure) {
    guard let handle = unsafe mysql_stmt_init(connection) else {
      throw .lost("out of memory")
    }
    unsafe self.handle = handle
    unsafe self.connection = connection
    self.parts = parts
    var sql = sql
    let code = sql.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe mysql_stmt_prepare(handle, $0.baseAddress, UInt($0.count))
      }
    }
    guard code == 0 else { throw failure }
  }

  deinit { unsafe mysql_stmt_close(handle) }

  /// A failure among the rows is the connection's.
  private var failure: ServerFailure {
    guard unsafe mysql_stmt_errno(handle) != 0 else {
      return unsafe ServerFailure(of: connection)
    }
    return unsafe ServerFailure(
      code: mysql_stmt_errno(handle), state: String(cString: mysql_stmt_sqlstate(handle)),
      text: String(cString: mysql_stmt_error(handle)))
  }

  /// Whether its answers may have rows.
  var hasRows: Bool { parts.contains(where: \.hasRows) }

  /// Whether it is a single statement that updates.
  var isUpdate: Bool { !isBatch && parts[0].isUpdate }

  /// The number of rows that the last run wrote; of a changed row in place of an inserted one it counts two.
  var writtenRows: Int { unsafe Int(clamping: Int64(bitPattern: mysql_stmt_affected_rows(handle))) }

  /// Whether statements may be sent before earlier ones are answered.
  static var goesAhead: Bool { cmariadb_goes_ahead() != 0 }

  /// Returns the values for the statements in the order of the places.
  func bound(_ calls: [SQLCall]) -> BoundValues {
    BoundValues(zip(parts, calls).flatMap { part, call in part.places.map { call.values[$0] } })
  }

  /// Sends the statements with values.
  func send(_ values: inout BoundValues) throws(ServerFailure) {
    let code = unsafe values.withBinds { binds in
      if unsafe mysql_stmt_bind_param(handle, binds) != 0 { return 1 as Int32 }
      return unsafe cmariadb_send(handle)
    }
    guard code == 0 else { throw failure }
  }

  /// Waits for the answer to the run that was sent first of those without an answer, and returns the rows of each
  /// statement.
  func receive() throws(ServerFailure) -> [[SQLRow]] {
    guard unsafe cmariadb_receive(handle) == 0 else { throw failure }
    var answers: [[SQLRow]] = []
    for index in parts.indices {
      // Of an insertion from a query only the answer tells.
      let hasRows = unsafe isBatch ? parts[index].hasRows : mysql_stmt_field_count(handle) > 0
      answers.append(hasRows ? try rows(of: &parts[index].row) : [])
      // After the rows of the last one, the end of the command is told.
      guard isBatch, hasRows else { continue }
      guard unsafe mysql_stmt_next_result(handle) == 0 else { throw failure }
    }
    guard unsafe !isBatch || mysql_stmt_field_count(handle) == 0 else {
      throw .lost("there is an answer too many")
    }
    return answers
  }

  private func rows(of room: inout RowRoom?) throws(ServerFailure) -> [SQLRow] {
    let count = unsafe Int(mysql_stmt_field_count(handle))
    guard count > 0, let fields = unsafe mariadb_stmt_fetch_fields(handle) else {
      throw .lost("an answer is missing")
    }
    defer { unsafe mysql_stmt_free_result(handle) }
    let kinds = (0..<count).map { unsafe ColumnKind(fields[$0]) }
    let row = room?.kinds == kinds ? room ?? RowRoom(kinds) : RowRoom(kinds)
    room = row
    guard unsafe mysql_stmt_bind_result(handle, row.binds) == 0 else { throw failure }
    var rows: [SQLRow] = []
    while true {
      switch unsafe mysql_stmt_fetch(handle) {
      case 0, MYSQL_DATA_TRUNCATED: unsafe rows.append(row.values(of: handle))
      case MYSQL_NO_DATA: return rows
      default: throw failure
      }
    }
  }
}

/// The type of a column, which decides how its value is read.
enum ColumnKind {
  case integer, text

  init(_ field: MYSQL_FIELD) {
    switch unsafe field.type {
    case MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_LONG, MYSQL_TYPE_INT24,
      MYSQL_TYPE_LONGLONG, MYSQL_TYPE_YEAR:
      self = .integer
    // A sum of whole numbers.
    case MYSQL_TYPE_NEWDECIMAL: self = unsafe field.decimals == 0 ? .integer : .text
    default: self = .text
    }
  }
}

/// Room for the numbers of a row, and for the lengths of its texts.
@safe
private final class RowRoom {
  let kinds: [ColumnKind]
  let binds: UnsafeMutablePointer<MYSQL_BIND>
  private let numbers: UnsafeMutablePointer<Int64>
  private let lengths: UnsafeMutablePointer<UInt>
  private let nulls: UnsafeMutablePointer<my_bool>

  init(_ kinds: [ColumnKind]) {
    self.kinds = kinds
    let count = kinds.count
    unsafe binds = .allocate(capacity: count)
    unsafe numbers = .allocate(capacity: count)
    unsafe lengths = .allocate(capacity: count)
    unsafe nulls = .allocate(capacity: count)
    unsafe numbers.initialize(repeating: 0, count: count)
    unsafe lengths.initialize(repeating: 0, count: count)
    unsafe nulls.initialize(repeating: 0, count: count)
    for (index, kind) in kinds.enumerated() {
      var bind = unsafe MYSQL_BIND()
      unsafe bind.length = lengths + index
      unsafe bind.is_null = nulls + index
      switch kind {
      case .integer:
        unsafe bind.buffer_type = MYSQL_TYPE_LONGLONG
        unsafe bind.buffer = UnsafeMutableRawPointer(numbers + index)
        unsafe bind.buffer_length = 8
      // Its length is learned first, without room for it.
      case .text: unsafe bind.buffer_type = MYSQL_TYPE_STRING
      }
      unsafe (binds + index).initialize(to: bind)
    }
  }

  deinit {
    unsafe binds.deallocate()
    unsafe numbers.deallocate()
    unsafe lengths.deallocate()
    unsafe nulls.deallocate()
  }

  /// The values of the row that was fetched last.
  func values(of statement: UnsafeMutablePointer<MYSQL_STMT>) -> SQLRow {
    kinds.indices.map { index in
      guard unsafe nulls[index] == 0 else { return .null }
      switch kinds[index] {
      case .integer: return unsafe .integer(numbers[index])
      case .text: return unsafe .text(text(of: statement, column: index))
      }
    }
  }

  private func text(of statement: UnsafeMutablePointer<MYSQL_STMT>, column: Int) -> String {
    let length = unsafe Int(lengths[column])
    return unsafe String(unsafeUninitializedCapacity: length) { room in
      var bind = unsafe MYSQL_BIND()
      var count: UInt = 0
      unsafe bind.buffer_type = MYSQL_TYPE_STRING
      unsafe bind.buffer = UnsafeMutableRawPointer(room.baseAddress)
      unsafe bind.buffer_length = UInt(length)
      let code = unsafe withUnsafeMutablePointer(to: &count) {
        unsafe bind.length = $0
        return unsafe mysql_stmt_fetch_column(statement, &bind, UInt32(column), 0)
      }
      return code == 0 ? min(Int(count), length) : 0
    }
  }
}

/// A statement's text with `?` in the place of each parameter.
private struct PlacedText {
  var sql = ""
  /// The number of the parameter, from 0, for each place.
  private(set) var places: [Int] = []

  /// Creates the text from one with `$1`, `$2` and so on; what stands in single quotes is copied.
  init(_ text: String) {
    var isQuoted = false
    var rest = text.utf8[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "'") { isQuoted.toggle() }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard byte == UInt8(ascii: "$"), !isQuoted, let number = Int(Substring(digits)) else {
        bytes.append(byte)
        continue
      }
      rest = rest.dropFirst(digits.count)
      places.append(number - 1)
      bytes.append(UInt8(ascii: "?"))
    }
    sql = String(decoding: bytes, as: UTF8.self)
  }

  private static let reading = ["SELECT", "(SELECT", "WITH "]
  private static let writing = ["INSERT ", "UPDATE ", "DELETE "]

  /// Whether ``part`` tells if it has rows.
  var isUsual: Bool { (Self.reading + Self.writing + ["SET "]).contains(where: sql.hasPrefix) }

  /// The statement as a part of a command, from which the server sends no rows that are noted in a variable.
  var part: PreparedStatement.Part {
    let hasRows =
      sql.contains("RETURNING ")
      || Self.reading.contains(where: sql.hasPrefix) && !sql.contains("INTO @")
    return PreparedStatement.Part(
      places: places, isUpdate: sql.hasPrefix("UPDATE "), hasRows: hasRows)
  }

  /// The statement as the one with a number among several; if it meets a duplicate key, that number is noted.
  func step(_ number: Int) -> String {
    guard Self.writing.contains(where: sql.hasPrefix) else { return sql }
    return """
      BEGIN DECLARE EXIT HANDLER FOR 1062 BEGIN SET @duplicate = \(number); RESIGNAL; END; \(sql); END
      """
  }
}

/// Values of parameters in the library's form.
struct BoundValues {
  private var numbers: [Int64] = []
  private var bytes: [UInt8] = []
  private var lengths: [UInt] = []
  private var starts: [Int] = []
  private let values: [SQLValue]

  init(_ values: [SQLValue]) {
    self.values = values
    for value in values {
      starts.append(bytes.count)
      var number: Int64 = 0
      switch value {
      case .null: break
      case .integer(let integer): number = integer
      case .text(let text): bytes.append(contentsOf: text.utf8)
      }
      numbers.append(number)
      lengths.append(UInt(bytes.count - (starts.last ?? 0)))
    }
    // So that an empty text has an address.
    bytes.append(0)
  }

  /// About the number of bytes that are sent.
  var size: Int { bytes.count + 8 * values.count }

  /// Calls `body` with the values, which are valid during the call only.
  mutating func withBinds<Result>(
    _ body: (UnsafeMutablePointer<MYSQL_BIND>?) -> Result
  ) -> Result {
    let (values, starts) = (values, starts)
    return unsafe numbers.withUnsafeMutableBufferPointer { numbers in
      unsafe bytes.withUnsafeMutableBufferPointer { bytes in
        unsafe lengths.withUnsafeMutableBufferPointer { lengths in
          var binds = unsafe values.indices.map { index in
            var bind = unsafe MYSQL_BIND()
            switch values[index] {
            case .null: unsafe bind.buffer_type = MYSQL_TYPE_NULL
            case .integer:
              unsafe bind.buffer_type = MYSQL_TYPE_LONGLONG
              unsafe bind.buffer = numbers.baseAddress.map {
                unsafe UnsafeMutableRawPointer($0 + index)
              }
            case .text:
              unsafe bind.buffer_type = MYSQL_TYPE_STRING
              unsafe bind.buffer = bytes.baseAddress.map {
                unsafe UnsafeMutableRawPointer($0 + starts[index])
              }
              unsafe bind.buffer_length = lengths[index]
              unsafe bind.length = lengths.baseAddress.map { unsafe $0 + index }
            }
            return unsafe bind
          }
          return unsafe binds.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
        }
      }
    }
  }
}
