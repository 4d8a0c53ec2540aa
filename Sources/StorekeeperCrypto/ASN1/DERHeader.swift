/// A DER tag of one byte, with its class and form.
package struct DERTag: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let boolean = DERTag(rawValue: 0x01)
  package static let integer = DERTag(rawValue: 0x02)
  package static let bitString = DERTag(rawValue: 0x03)
  package static let octetString = DERTag(rawValue: 0x04)
  package static let null = DERTag(rawValue: 0x05)
  package static let objectIdentifier = DERTag(rawValue: 0x06)
  package static let utf8String = DERTag(rawValue: 0x0C)
  package static let printableString = DERTag(rawValue: 0x13)
  package static let ia5String = DERTag(rawValue: 0x16)
  package static let utcTime = DERTag(rawValue: 0x17)
  package static let generalizedTime = DERTag(rawValue: 0x18)
  package static let sequence = DERTag(rawValue: 0x30)
  package static let set = DERTag(rawValue: 0x31)

  /// Returns the tag of a context-specific constructed value.
  package static func constructed(_ number: UInt8) -> DERTag { DERTag(rawValue: 0xA0 | number) }
  /// Returns the tag of a context-specific primitive value.
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
