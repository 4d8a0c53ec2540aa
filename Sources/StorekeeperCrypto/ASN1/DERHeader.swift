/// A DER tag of one byte, with its class and form.
package struct DERTag: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @inlinable package static var boolean: DERTag { DERTag(rawValue: 0x01) }
  @inlinable package static var integer: DERTag { DERTag(rawValue: 0x02) }
  @inlinable package static var bitString: DERTag { DERTag(rawValue: 0x03) }
  @inlinable package static var octetString: DERTag { DERTag(rawValue: 0x04) }
  @inlinable package static var null: DERTag { DERTag(rawValue: 0x05) }
  @inlinable package static var objectIdentifier: DERTag { DERTag(rawValue: 0x06) }
  @inlinable package static var utf8String: DERTag { DERTag(rawValue: 0x0C) }
  @inlinable package static var printableString: DERTag { DERTag(rawValue: 0x13) }
  @inlinable package static var ia5String: DERTag { DERTag(rawValue: 0x16) }
  @inlinable package static var utcTime: DERTag { DERTag(rawValue: 0x17) }
  @inlinable package static var generalizedTime: DERTag { DERTag(rawValue: 0x18) }
  @inlinable package static var sequence: DERTag { DERTag(rawValue: 0x30) }
  @inlinable package static var set: DERTag { DERTag(rawValue: 0x31) }

  /// Returns the tag of a context-specific constructed value.
  @inlinable
  package static func constructed(_ number: UInt8) -> DERTag { DERTag(rawValue: 0xA0 | number) }
  /// Returns the tag of a context-specific primitive value.
  @inlinable
  package static func primitive(_ number: UInt8) -> DERTag { DERTag(rawValue: 0x80 | number) }
}

/// The tag and length of a DER value.
package struct DERHeader: Sendable {
  package let bytes: [UInt8]

  package init(_ tag: DERTag, length: Int) {
    guard length >= 0x80 else {
      bytes = [tag.rawValue, UInt8(length)]
      return
    }
    let count = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    let digits = (0..<count).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    bytes = [tag.rawValue, 0x80 | UInt8(count)] + digits
  }
}
