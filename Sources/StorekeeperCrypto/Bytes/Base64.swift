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
    unsafe text.withUnsafeBufferPointer { unsafe decode($0, variant) }
  }

  /// Decodes a text where it lies, or returns nil if ``encode(_:_:)`` never returns it.
  package static func decode(_ text: String, _ variant: Variant) -> [UInt8]? {
    var text = text
    return text.withUTF8 { unsafe decode($0, variant) }
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ variant: Variant
  ) -> [UInt8]? {
    var count = text.count
    if variant == .standard {
      guard count % 4 == 0 else { return nil }
      for _ in 0..<2 where unsafe count > 0 && text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    }
    guard count % 4 != 1 else { return nil }
    let table = variant == .url ? urlValues : standardValues
    return unsafe decodedDigits(UnsafeBufferPointer(rebasing: text[..<count]), table)
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
  private static let invalidDigit: UInt32 = 1 << 24

  /// Returns the six bits of each character, at each of the four places of a group; the first byte of
  /// a group is the lowest.
  private static func values(of alphabet: [UInt8]) -> [UInt32] {
    var values = [UInt32](repeating: invalidDigit, count: 4 * 256)
    for (value, character) in alphabet.enumerated() {
      for place in 0..<4 {
        let bits = UInt32(value) << UInt32(18 - 6 * place)
        values[place * 256 + Int(character)] = bits.byteSwapped >> 8
      }
    }
    return values
  }

  /// Decodes digits of six bits, whose count must not be 1 modulo 4.
  ///
  /// - Parameters:
  ///   - digits: The characters.
  ///   - table: The values of the 256 characters at each of the four places of a group, one place after the other;
  ///     ``invalidDigit`` for a character that is none.
  /// - Returns: The bytes, or nil if a character is no digit or an unused bit is set.
  private static func decodedDigits(
    _ digits: UnsafeBufferPointer<UInt8>, _ table: [UInt32]
  ) -> [UInt8]? {
    let size = digits.count / 4 * 3 + max(0, digits.count % 4 - 1)
    var invalid: UInt32 = 0
    // Pointers, because checked indices take twice the time of the decoder in Foundation. They stay within `digits`,
    // `table` (4 times 256) and `size`, by the conditions on `index` and `written`.
    let decoded = unsafe table.withUnsafeBufferPointer { values in
      unsafe [UInt8](unsafeUninitializedCapacity: size) { output, written in
        let bytes = UnsafeMutableRawBufferPointer(output)
        func group(at index: Int) -> UInt32 {
          unsafe values[Int(digits[index])] | values[256 + Int(digits[index + 1])]
            | values[512 + Int(digits[index + 2])] | values[768 + Int(digits[index + 3])]
        }
        var index = 0
        // The fourth byte that is stored is overwritten by the next group.
        while written + 7 <= size {
          let first = group(at: index)
          let second = group(at: index + 4)
          invalid |= first | second
          unsafe bytes.storeBytes(of: first.littleEndian, toByteOffset: written, as: UInt32.self)
          unsafe bytes.storeBytes(
            of: second.littleEndian, toByteOffset: written + 3, as: UInt32.self)
          written += 6
          index += 8
        }
        while index < digits.count {
          // The unused bits of the last two or three digits must be zero.
          let count = min(4, digits.count - index)
          var bits: UInt32 = 0
          for place in 0..<count {
            unsafe bits |= values[256 * place + Int(digits[index + place])]
          }
          invalid |= bits
          for place in 0..<3 {
            let byte = UInt8(truncatingIfNeeded: bits >> UInt32(8 * place))
            if place < count - 1 {
              unsafe output[written] = byte
              written += 1
            } else if byte != 0 {
              invalid |= invalidDigit
            }
          }
          index += count
        }
      }
    }
    return invalid & invalidDigit == 0 ? decoded : nil
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
}
