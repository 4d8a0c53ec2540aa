// The classes of ASCII characters that texts of most formats are made of.
extension UInt8 {
  @inlinable
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is a letter of ASCII, in either case.
  @inlinable
  package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  @inlinable
  package var isLetterOrDigit: Bool { isLetter || isDigit }

  /// The value of a hexadecimal digit, in either case.
  @inlinable
  package var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether the byte is white space between the signs of JSON.
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension Sequence<UInt8> {
  /// Whether every byte is a decimal digit; so it is where there is none.
  @inlinable
  package var areDigits: Bool {
    // The bytes of a text are several times as fast where they lie in a row; the buffer is not kept.
    withContiguousStorageIfAvailable { unsafe $0.allSatisfy(\.isDigit) } ?? allSatisfy(\.isDigit)
  }
}
