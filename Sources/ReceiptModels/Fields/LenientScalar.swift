package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A scalar that verifyReceipt writes as a string, a number or a Boolean.
///
/// Source: App Store rules, section 5.4.
package protocol LenientValue {
  /// Creates the value from any JSON scalar, or returns nil if it cannot be read without loss.
  init?(lenient json: JSONValue)
  /// Creates the value at a place of a text, as from its JSON value.
  init?(lenient text: JSONText, at place: JSONText.Place)
}

/// A scalar of verifyReceipt with one text.
package protocol LenientScalar: LenientValue {
  /// The text of Apple's current form, in which nearly all values are strings.
  var scalarText: String { get }
}

extension LenientValue {
  package init?(lenient text: JSONText, at place: JSONText.Place) {
    self.init(lenient: text.value(at: place))
  }
}

extension String: LenientScalar {
  /// Creates a text from any scalar.
  ///
  /// Returns nil for a floating-point number beyond 2^53, which has lost digits.
  package init?(lenient json: JSONValue) {
    switch json {
    case .string(let text): self = text
    case .integer(let value): self = String(value)
    case .boolean(let value): self = value ? "true" : "false"
    case .number(let number):
      guard number.isFinite, abs(number) < 0x1p53 else { return nil }
      self = Int(exactly: number).map { String($0) } ?? number.description
    case .null, .array, .object: return nil
    }
  }

  package init?(lenient text: JSONText, at place: JSONText.Place) {
    if let string = text.string(at: place) {
      self = string
    } else {
      self.init(lenient: text.value(at: place))
    }
  }

  package var scalarText: String { self }
}

extension Int: LenientScalar {
  /// Creates an integer from any scalar; `true` counts as 1 and `false` as 0.
  ///
  /// Returns nil for a number with a fraction other than zero.
  package init?(lenient json: JSONValue) {
    let flag: Bool? =
      switch json {
      case .boolean(let value): value
      case .string(let text): Bool(word: text.utf8)
      default: nil
      }
    if let flag {
      self = flag ? 1 : 0
    } else {
      self.init(numeric: json)
    }
  }

  package init?(lenient text: JSONText, at place: JSONText.Place) {
    if let value = text.digits(at: place) {
      self = value
    } else {
      self.init(lenient: text.value(at: place))
    }
  }

  /// Creates an integer from a number or its text, also with a fraction of zero.
  ///
  /// Returns nil for a floating-point number beyond 2^53, which has lost digits.
  init?(numeric json: JSONValue) {
    switch json {
    case .integer(let value): self = value
    case .number(let number): self.init(undamaged: number)
    case .string(let text):
      if let value = Int(text) {
        self = value
      } else {
        guard let number = Double(decimal: text) else { return nil }
        self.init(undamaged: number)
      }
    case .null, .boolean, .array, .object: return nil
    }
  }

  private init?(undamaged number: Double) {
    guard abs(number) < 0x1p53 else { return nil }
    self.init(exactly: number)
  }

  package var scalarText: String { String(self) }
}

extension Bool: LenientValue {
  /// Creates a Boolean from `true`, `"true"` in any case, `"1"`, `1`, and likewise for false.
  ///
  /// Returns nil for any other value.
  package init?(lenient json: JSONValue) {
    switch json {
    case .boolean(let value): self = value
    case .integer(1), .number(1): self = true
    case .integer(0), .number(0): self = false
    case .string(let text):
      self.init(text: text.utf8)
    case .null, .integer, .number, .array, .object: return nil
    }
  }

  package init?(lenient text: JSONText, at place: JSONText.Place) {
    if let content = text.content(at: place, limit: 5) {
      self.init(text: content)
    } else {
      self.init(lenient: text.value(at: place))
    }
  }

  private init?(text: some Collection<UInt8>) {
    guard let value = Bool(word: text) ?? Bool(digit: text) else { return nil }
    self = value
  }

  // Untrusted text is compared byte by byte, because the time to compare strings grows with the
  // square of a run of combining marks.
  fileprivate init?(word text: some Collection<UInt8>) {
    guard text.count == 4 || text.count == 5 else { return nil }
    // Capital letters differ from small ones in one bit.
    switch text.reduce(0 as UInt64, { word, byte in word << 8 | UInt64(byte | 0x20) }) {
    case 0x74_72_75_65: self = true
    case 0x66_61_6C_73_65: self = false
    default: return nil
    }
  }

  fileprivate init?(digit text: some Collection<UInt8>) {
    guard text.count == 1, let byte = text.first else { return nil }
    switch byte {
    case UInt8(ascii: "1"): self = true
    case UInt8(ascii: "0"): self = false
    default: return nil
    }
  }
}

extension UUID: LenientScalar {
  package init?(lenient json: JSONValue) {
    guard case .string(let text) = json, let value = UUID(text: text) else { return nil }
    self = value
  }

  package var scalarText: String { uuidString.lowercased() }
}

extension UUID {
  /// Creates a UUID as `init(uuidString:)` does, which reads each byte by a general scanner of texts.
  init?(text: String) {
    let plain = text.utf8.count == 36 ? UUID(plain: Array(text.utf8)) : nil
    guard let value = plain ?? UUID(uuidString: text) else { return nil }
    self = value
  }

  /// Creates a UUID from its plain form: 32 hexadecimal digits with hyphens.
  private init?(plain text: [UInt8]) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in text.indices {
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = byte.hexDigit else { return nil }
        high = high << 4 | low >> 60
        low = low << 4 | UInt64(digit)
      }
    }
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

extension Double {
  /// Creates a number from finite decimal text of at most 40 bytes.
  ///
  /// Returns nil for hexadecimal forms, names such as `inf`, and white space.
  init?(decimal text: String) {
    guard text.utf8.count <= 40 else { return nil }
    guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }),
      let value = Double(text), value.isFinite
    else { return nil }
    self = value
  }
}
