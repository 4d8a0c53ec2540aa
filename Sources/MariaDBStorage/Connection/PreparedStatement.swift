internal import CStorekeeperMariaDB
internal import SQLStorage

/// A statement that the server has prepared for a connection, closed by `deinit`.
///
/// Its memory is reached by pointers because the library writes the values of a row there.
@safe
final class PreparedStatement {
  private let handle: UnsafeMutablePointer<MYSQL_STMT>
  private let connection: UnsafeMutablePointer<MYSQL>
  /// The number of the value, from 0, for each of the places in the text.
  private let places: [Int]
  let isUpdate: Bool
  private var row: RowRoom?

  /// Has a statement prepared.
  init(
    _ statement: SQLStatement, in tables: TablePlaces, on connection: UnsafeMutablePointer<MYSQL>
  ) throws(ServerFailure) {
    guard let handle = unsafe mysql_stmt_init(connection) else {
      throw .lost("out of memory")
    }
    unsafe self.handle = handle
    unsafe self.connection = connection
    let qualified = tables.qualified(statement.text(.mariadb))
    isUpdate = qualified.hasPrefix("UPDATE ")
    var text = PlacedText(qualified)
    places = text.places
    let code = text.sql.withUTF8 { bytes in
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
  var hasRows: Bool { unsafe mysql_stmt_field_count(handle) > 0 }

  /// The number of rows that the last run wrote; of a changed row in place of an inserted one it counts two.
  var writtenRows: Int { unsafe Int(clamping: Int64(bitPattern: mysql_stmt_affected_rows(handle))) }

  /// Whether statements may be sent before earlier ones are answered.
  static var goesAhead: Bool { cmariadb_goes_ahead() != 0 }

  /// Returns values in the order of the places.
  func bound(_ values: [SQLValue]) -> BoundValues { BoundValues(places.map { values[$0] }) }

  /// Sends the statement with values.
  func send(_ values: inout BoundValues) throws(ServerFailure) {
    let code = unsafe values.withBinds { binds in
      if unsafe mysql_stmt_bind_param(handle, binds) != 0 { return 1 as Int32 }
      return unsafe cmariadb_send(handle)
    }
    guard code == 0 else { throw failure }
  }

  /// Waits for the answer to the run that was sent first of those without an answer, and returns its rows.
  func receive() throws(ServerFailure) -> [SQLRow] {
    guard unsafe cmariadb_receive(handle) == 0 else { throw failure }
    return try rows()
  }

  private func rows() throws(ServerFailure) -> [SQLRow] {
    let count = unsafe Int(mysql_stmt_field_count(handle))
    guard count > 0, let fields = unsafe mariadb_stmt_fetch_fields(handle) else { return [] }
    defer { unsafe mysql_stmt_free_result(handle) }
    let kinds = (0..<count).map { unsafe ColumnKind(fields[$0]) }
    let row = self.row?.kinds == kinds ? self.row ?? RowRoom(kinds) : RowRoom(kinds)
    self.row = row
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
