internal import JSONValues

/// Percent-encoding, of bytes and of texts.
package enum PercentEncoding {
  /// Returns the bytes with each percent-encoded one decoded; nil for an incomplete encoding.
  ///
  /// A plus sign is itself, or in the query of a form the given byte.
  ///
  /// Source: RFC 3986 section 2.1; URL Standard section 5.1.
  package static func decode(
    _ text: some Sequence<UInt8>, plus: UInt8 = UInt8(ascii: "+")
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.underestimatedCount)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(plus)
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexDigit, let low = rest.next()?.hexDigit else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  fileprivate static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: byte.isLetterOrDigit
    }
  }

  fileprivate static let digits = Array("0123456789ABCDEF".utf8)
}

extension String {
  /// The text with every byte percent-encoded but ASCII letters, digits, `-`, `.`, `_` and `~`.
  ///
  /// Source: RFC 3986 section 2.3.
  package var percentEncoded: String {
    let text = Array(utf8)
    guard !text.allSatisfy(PercentEncoding.isUnreserved) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    for byte in text {
      if PercentEncoding.isUnreserved(byte) {
        bytes.append(byte)
      } else {
        let digits = PercentEncoding.digits
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with each percent-encoded byte decoded; nil for an incomplete encoding, or if the bytes
  /// are not UTF-8.
  package var percentDecoded: String? {
    PercentEncoding.decode(utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }
}
