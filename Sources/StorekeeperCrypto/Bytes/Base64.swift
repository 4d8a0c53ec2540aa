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

  /// Returns the six bits of each character, or 0xFF.
  private static func values(of alphabet: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
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
  fileprivate func decodedDigits(table: [UInt8]) -> [UInt8]? {
    let values = table.span
    var decoded = [UInt8](repeating: 0, count: count / 4 * 3 + max(0, count % 4 - 1))
    var output = decoded.mutableSpan
    var invalid: UInt8 = 0
    var index = 0
    var written = 0
    while index + 4 <= count {
      let a = values[Int(self[index])]
      let b = values[Int(self[index + 1])]
      let c = values[Int(self[index + 2])]
      let d = values[Int(self[index + 3])]
      invalid |= a | b | c | d
      output[written] = a << 2 | b >> 4
      output[written + 1] = b << 4 | c >> 2
      output[written + 2] = c << 6 | d
      written += 3
      index += 4
    }
    // The unused bits of the last two or three digits must be zero.
    if index < count {
      let a = values[Int(self[index])]
      let b = values[Int(self[index + 1])]
      let c = index + 2 < count ? values[Int(self[index + 2])] : 0
      invalid |= a | b | c
      output[written] = a << 2 | b >> 4
      if index + 2 < count {
        output[written + 1] = b << 4 | c >> 2
        if c & 0x03 != 0 { return nil }
      } else if b & 0x0F != 0 {
        return nil
      }
    }
    // The two highest bits of a valid digit are clear.
    return invalid & 0xC0 == 0 ? decoded : nil
  }
}
