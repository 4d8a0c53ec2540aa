/// An ECDSA signature on P-256, as the two numbers r and s.
///
/// The numbers are in range: 1 ≤ r, s < n (FIPS 186-5, section 6.4.2). *Not* checked: which of its
/// two possible values s has.
package struct ECDSASignature: Hashable, Sendable {
  /// Both numbers, big-endian, 32 bytes each (the form of RFC 7518 section 3.4).
  package let rawBytes: [UInt8]

  /// Creates a signature from r ‖ s; nil if it is not 64 bytes or a number is out of range.
  package init?(rawBytes: [UInt8]) {
    guard rawBytes.count == 64,
      Self.isInRange(rawBytes[..<32]), Self.isInRange(rawBytes[32...])
    else { return nil }
    self.rawBytes = rawBytes
  }

  /// Creates a signature from the form of ``der``; nil for anything else (X.690, distinguished
  /// encoding).
  package init?(der: [UInt8]) {
    guard der.count >= 8, der.count <= 72, der[0] == 0x30, Int(der[1]) == der.count - 2 else {
      return nil
    }
    var rest = der[2...]
    guard let r = Self.takeInteger(from: &rest), let s = Self.takeInteger(from: &rest),
      rest.isEmpty
    else { return nil }
    self.init(rawBytes: r + s)
  }

  /// The ASN.1 form, SEQUENCE of two INTEGER (RFC 3279 section 2.2.3), at most 72 bytes.
  package var der: [UInt8] {
    var bytes: [UInt8] = [0x30, 0]
    bytes.reserveCapacity(72)
    Self.append(rawBytes[..<32], to: &bytes)
    Self.append(rawBytes[32...], to: &bytes)
    bytes[1] = UInt8(bytes.count - 2)
    return bytes
  }

  private static func append(_ number: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    // The number is in range, so one byte is not zero.
    let significant = number.drop { $0 == 0 }
    let needsSign = (significant.first ?? 0) >= 0x80
    bytes.append(0x02)
    bytes.append(UInt8(significant.count + (needsSign ? 1 : 0)))
    if needsSign { bytes.append(0) }
    bytes.append(contentsOf: significant)
  }

  /// Reads an INTEGER and pads it to 32 bytes; nil unless it is positive, minimal and not longer.
  private static func takeInteger(from bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count >= 3, bytes.removeFirst() == 0x02 else { return nil }
    let length = Int(bytes.removeFirst())
    guard length >= 1, length <= 33, bytes.count >= length else { return nil }
    var content = bytes.prefix(length)
    bytes = bytes.dropFirst(length)
    guard let first = content.first, first < 0x80 else { return nil }
    if first == 0, length > 1 {
      content = content.dropFirst()
      guard let second = content.first, second >= 0x80 else { return nil }
    }
    guard content.count <= 32 else { return nil }
    return [UInt8](repeating: 0, count: 32 - content.count) + content
  }

  private static func isInRange(_ number: ArraySlice<UInt8>) -> Bool {
    number.contains { $0 != 0 } && number.lexicographicallyPrecedes(order)
  }

  /// The order n of P-256 (SP 800-186, section 3.2.1.3).
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]
}
