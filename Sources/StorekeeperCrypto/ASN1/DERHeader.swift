/// A DER tag of one byte, with its class and form.
@frozen
public struct DERTag: RawRepresentable, Hashable, Sendable {
  /// The byte itself.
  public var rawValue: UInt8

  /// Creates the tag of a byte.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The tag of BOOLEAN.
  @inlinable public static var boolean: DERTag { DERTag(rawValue: 0x01) }
  /// The tag of INTEGER.
  @inlinable public static var integer: DERTag { DERTag(rawValue: 0x02) }
  /// The tag of BIT STRING.
  @inlinable public static var bitString: DERTag { DERTag(rawValue: 0x03) }
  /// The tag of OCTET STRING.
  @inlinable public static var octetString: DERTag { DERTag(rawValue: 0x04) }
  /// The tag of NULL.
  @inlinable public static var null: DERTag { DERTag(rawValue: 0x05) }
  /// The tag of OBJECT IDENTIFIER.
  @inlinable public static var objectIdentifier: DERTag { DERTag(rawValue: 0x06) }
  /// The tag of UTF8String.
  @inlinable public static var utf8String: DERTag { DERTag(rawValue: 0x0C) }
  /// The tag of PrintableString.
  @inlinable public static var printableString: DERTag { DERTag(rawValue: 0x13) }
  /// The tag of IA5String.
  @inlinable public static var ia5String: DERTag { DERTag(rawValue: 0x16) }
  /// The tag of UTCTime.
  @inlinable public static var utcTime: DERTag { DERTag(rawValue: 0x17) }
  /// The tag of GeneralizedTime.
  @inlinable public static var generalizedTime: DERTag { DERTag(rawValue: 0x18) }
  /// The tag of SEQUENCE.
  @inlinable public static var sequence: DERTag { DERTag(rawValue: 0x30) }
  /// The tag of SET.
  @inlinable public static var set: DERTag { DERTag(rawValue: 0x31) }

  /// Returns the tag of a context-specific constructed value.
  @inlinable
  public static func constructed(_ number: UInt8) -> DERTag { DERTag(rawValue: 0xA0 | number) }
  /// Returns the tag of a context-specific primitive value.
  @inlinable
  public static func primitive(_ number: UInt8) -> DERTag { DERTag(rawValue: 0x80 | number) }
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
