/// Strict base64 and base64url (RFC 4648).
///
/// Foundation's decoder accepts white space, missing padding and trailing bits, which signed data
/// must not contain. OpenSSL's does not support base64url.
package enum Base64 {
  /// The alphabet and padding of an encoding.
  package enum Variant: Sendable {
    /// `+` and `/`, padded (section 4).
    case standard
    /// `-` and `_`, never padded (section 5, as RFC 7515 section 2 uses it).
    case url
  }

  /// Decodes a text, or returns nil if ``encode(_:_:)`` never returns it.
  ///
  /// Other characters, an impossible length, wrong padding, and unused bits that are set are
  /// refused.
  package static func decode(_ text: ArraySlice<UInt8>, _ variant: Variant) -> [UInt8]? {
    var end = text.endIndex
    if variant == .standard {
      guard text.count % 4 == 0 else { return nil }
      for _ in 0..<2 where end > text.startIndex && text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    }
    let digits = text[text.startIndex..<end]
    let rest = digits.count % 4
    guard rest != 1 else { return nil }
    let table = variant == .url ? urlValues : standardValues
    return digits.span.decodedDigits(table: table)
  }

  /// Encodes bytes as text.
  package static func encode(_ bytes: [UInt8], _ variant: Variant) -> String {
    let alphabet = variant == .url ? urlAlphabet : standardAlphabet
    var text = bytes.span.encodedDigits(alphabet: alphabet)
    if variant == .standard {
      while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Encodes bytes as text.
  package static func encode(_ bytes: some Collection<UInt8>, _ variant: Variant) -> String {
    encode(Array(bytes), variant)
  }

  private static let common = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let standardAlphabet = common + Array("+/".utf8)
  private static let urlAlphabet = common + Array("-_".utf8)
  private static let standardValues = values(of: standardAlphabet)
  private static let urlValues = values(of: urlAlphabet)

  /// A bit above the 24 of four digits.
  fileprivate static let invalidDigit: UInt32 = 1 << 24

  /// Returns the six bits of each character, at each of the four places of a group.
  private static func values(of alphabet: [UInt8]) -> [UInt32] {
    var values = [UInt32](repeating: invalidDigit, count: 4 * 256)
    for (value, character) in alphabet.enumerated() {
      for place in 0..<4 {
        values[place * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * place)
      }
    }
    return values
  }
}

extension Span<UInt8> {
  /// Encodes each three bytes as four digits, and a rest as two or three.
  fileprivate func encodedDigits(alphabet: [UInt8]) -> [UInt8] {
    let digits = alphabet.span
    var encoded = [UInt8](repeating: 0, count: (count * 4 + 2) / 3)
    var output = encoded.mutableSpan
    var index = 0
    var written = 0
    while index + 3 <= count {
      let bits =
        UInt32(self[index]) << 16 | UInt32(self[index + 1]) << 8 | UInt32(self[index + 2])
      output[written] = digits[Int(bits >> 18)]
      output[written + 1] = digits[Int(bits >> 12 & 63)]
      output[written + 2] = digits[Int(bits >> 6 & 63)]
      output[written + 3] = digits[Int(bits & 63)]
      index += 3
      written += 4
    }
    if index < count {
      let second = index + 1 < count ? UInt32(self[index + 1]) : 0
      let bits = UInt32(self[index]) << 16 | second << 8
      output[written] = digits[Int(bits >> 18)]
      output[written + 1] = digits[Int(bits >> 12 & 63)]
      if index + 1 < count { output[written + 2] = digits[Int(bits >> 6 & 63)] }
    }
    return encoded
  }

  /// Decodes digits of six bits, whose count must not be 1 modulo 4.
  ///
  /// - Parameter table: The values of the 256 characters at each of the four places of a group, one place after
  ///   the other; ``invalidDigit`` for a character that is none.
  /// - Returns: The bytes, or nil if a character is no digit or an unused bit is set.
  fileprivate func decodedDigits(table: [UInt32]) -> [UInt8]? {
    let size = count / 4 * 3 + Swift.max(0, count % 4 - 1)
    var invalid: UInt32 = 0
    let decoded = unsafe withUnsafeBufferPointer { digits in
      unsafe table.withUnsafeBufferPointer { values in
        // The indices stay within `digits`, `table` (4 times 256) and `size`, by the two conditions on `index`.
        unsafe [UInt8](unsafeUninitializedCapacity: size) { output, written in
          var index = 0
          while index + 4 <= digits.count {
            let bits =
              unsafe values[Int(digits[index])] | values[256 + Int(digits[index + 1])]
              | values[512 + Int(digits[index + 2])] | values[768 + Int(digits[index + 3])]
            invalid |= bits
            unsafe output[written] = UInt8(truncatingIfNeeded: bits >> 16)
            unsafe output[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            unsafe output[written + 2] = UInt8(truncatingIfNeeded: bits)
            written += 3
            index += 4
          }
          // The unused bits of the last two or three digits must be zero.
          guard index < digits.count else { return }
          var bits = unsafe values[Int(digits[index])] | values[256 + Int(digits[index + 1])]
          if index + 2 < digits.count { unsafe bits |= values[512 + Int(digits[index + 2])] }
          let unused: UInt32 = index + 2 < digits.count ? 0xFF : 0xFFFF
          if bits & unused != 0 { invalid |= Base64.invalidDigit }
          invalid |= bits
          unsafe output[written] = UInt8(truncatingIfNeeded: bits >> 16)
          written += 1
          if index + 2 < digits.count {
            unsafe output[written] = UInt8(truncatingIfNeeded: bits >> 8)
            written += 1
          }
        }
      }
    }
    return invalid & Base64.invalidDigit == 0 ? decoded : nil
  }
}
