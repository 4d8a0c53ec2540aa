package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A scalar that verifyReceipt writes as a string, a number or a Boolean.
///
/// Source: App Store rules, section 5.4.
package protocol LenientScalar {
  /// Creates the value from any JSON scalar, or returns nil if it cannot be read without loss.
  init?(lenient json: JSONValue)
  /// The text of Apple's current form, in which nearly all values are strings.
  var scalarText: String { get }
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
      case .string(let text): Bool(word: text)
      default: nil
      }
    if let flag {
      self = flag ? 1 : 0
    } else {
      self.init(numeric: json)
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

extension Bool {
  /// Creates a Boolean from `true`, `"true"` in any case, `"1"`, `1`, and likewise for false.
  ///
  /// Returns nil for any other value.
  package init?(lenient json: JSONValue) {
    switch json {
    case .boolean(let value): self = value
    case .integer(1), .number(1): self = true
    case .integer(0), .number(0): self = false
    case .string(let text):
      guard let value = Bool(word: text) ?? Bool(digit: text) else { return nil }
      self = value
    case .null, .integer, .number, .array, .object: return nil
    }
  }

  // Untrusted text is compared byte by byte, because the time to compare strings grows with the
  // square of a run of combining marks.
  fileprivate init?(word text: String) {
    if text.isSameWord(as: "true") {
      self = true
    } else if text.isSameWord(as: "false") {
      self = false
    } else {
      return nil
    }
  }

  fileprivate init?(digit text: String) {
    guard text.utf8.count == 1, let byte = text.utf8.first else { return nil }
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

extension String {
  /// Returns whether this is the ASCII word, ignoring case; the word is in lower case.
  fileprivate func isSameWord(as word: StaticString) -> Bool {
    utf8.count == word.utf8CodeUnitCount
      && utf8.elementsEqual(word.description.utf8) { byte, letter in
        byte == letter || (byte < letter && byte | 0x20 == letter)
      }
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
