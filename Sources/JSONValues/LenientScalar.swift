#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A scalar that verifyReceipt writes now as a string, now as a number or a Boolean.
///
/// Source: contract on signed data, section 5.4.
package protocol LenientScalar {
  /// Reads the value from any JSON scalar, or nil when the value cannot be read without loss.
  init?(lenient json: JSONValue)
  /// The text of Apple's present form, in which nearly all values are strings.
  var scalarText: String { get }
}

extension String: LenientScalar {
  /// Any scalar as text; a number beyond 2^53, of which a `Double` has lost digits, is none.
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
  /// An integer, also as text or with a fraction of zero; `true` counts as 1, `false` as 0.
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

  /// An integer, also as text or with a fraction of zero; a number beyond 2^53 with a fraction, of
  /// which a `Double` has lost digits, is none.
  package init?(numeric json: JSONValue) {
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
  /// `true`, `"true"` in any case, `"1"`, `1` and the same for false; any other value is none.
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

  // Texts from outside are compared byte by byte: the ordinary comparison takes time that grows with
  // the square of a run of combining marks.
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
    guard case .string(let text) = json, let value = UUID(uuidString: text) else { return nil }
    self = value
  }

  package var scalarText: String { uuidString.lowercased() }
}

extension String {
  /// Whether this is an ASCII word, given in lower case, in any case.
  fileprivate func isSameWord(as word: StaticString) -> Bool {
    utf8.elementsEqual(word.description.utf8) { byte, letter in
      byte == letter || (byte < letter && byte | 0x20 == letter)
    }
  }
}

extension Double {
  /// A finite decimal number; no hexadecimal form, no name, no white space, 40 bytes at most.
  package init?(decimal text: String) {
    guard text.utf8.count <= 40 else { return nil }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    guard let value = Double(text), value.isFinite else { return nil }
    self = value
  }
}
