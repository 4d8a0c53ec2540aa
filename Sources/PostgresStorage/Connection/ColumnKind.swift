internal import SQLStorage

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
