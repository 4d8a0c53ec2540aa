internal import SQLStorage

/// How the text of a column is read.
enum ColumnKind {
  case integer, boolean, text

  /// By the type's number in `pg_type`, which is fixed for these.
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

  /// The server writes decimal digits, at most of a 64-bit number.
  private static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    let isNegative = unsafe bytes.first == UInt8(ascii: "-")
    let size = unsafe bytes.dropFirst(isNegative ? 1 : 0).reduce(into: UInt64(0)) { sum, byte in
      sum = sum &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
    }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- size : size)
  }
}
