internal import StorekeeperCrypto
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads the attributes of a receipt or of one purchase: a SET OF SEQUENCE { type INTEGER, version
/// INTEGER, value OCTET STRING } in any order (contract, section 6.4).
struct ReceiptAttributeReader {
  private var elements: DERReader

  /// Reads the set that fills a range of bytes.
  init(_ bytes: [UInt8], in range: Range<Int>) throws(DERReader.Failure) {
    var whole = DERReader(in: range)
    elements = try whole.contents(.set, bytes)
    try whole.finish()
  }

  /// The next attribute, or nil at the end.
  mutating func next(_ bytes: [UInt8]) throws(DERReader.Failure) -> Attribute? {
    guard !elements.isAtEnd else { return nil }
    var fields = try elements.contents(.sequence, bytes)
    let type = try ReceiptValue.integer(bytes, try fields.value(.integer, bytes).content)
    let version = try ReceiptValue.integer(bytes, try fields.value(.integer, bytes).content)
    let value = try fields.value(.octetString, bytes)
    try fields.finish()
    return Attribute(type: type, version: version, value: value.content)
  }

  /// One attribute, its value still in place.
  struct Attribute {
    var type: Int
    var version: Int
    var value: Range<Int>
  }
}

/// Reads the value of an attribute: one DER value that fills its octet string.
enum ReceiptValue {
  /// An integer that an attribute holds.
  static func integer(in bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> Int {
    try integer(bytes, try content(.integer, in: bytes, range))
  }

  /// A text in UTF-8; nil when it is empty.
  static func text(in bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> String? {
    try text(bytes, try content(.utf8String, in: bytes, range))
  }

  /// A text in ASCII; nil when it is empty.
  static func plainText(
    in bytes: [UInt8], _ range: Range<Int>
  ) throws(DERReader.Failure) -> String? {
    let content = try content(.ia5String, in: bytes, range)
    guard bytes[content].allSatisfy({ $0 < 0x80 }) else { throw DERReader.Failure() }
    return try text(bytes, content)
  }

  /// A moment; nil when the text is empty.
  static func date(in bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> Date? {
    let content = try content(.ia5String, in: bytes, range)
    if content.isEmpty { return nil }
    guard let date = Date(receiptAttribute: bytes[content]) else { throw DERReader.Failure() }
    return date
  }

  /// The bytes of an INTEGER of at most eight, in their shortest form (X.690 section 8.3).
  static func integer(_ bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> Int {
    guard (1...8).contains(range.count) else { throw DERReader.Failure() }
    let first = bytes[range.lowerBound]
    var value = first < 0x80 ? 0 : -1
    for byte in bytes[range] { value = value << 8 | Int(byte) }
    if range.count > 1 {
      let isRedundant = value >> (8 * range.count - 9) == (first < 0x80 ? 0 : -1)
      guard !isRedundant else { throw DERReader.Failure() }
    }
    return value
  }

  private static func text(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(DERReader.Failure) -> String? {
    if range.isEmpty { return nil }
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw DERReader.Failure()
    }
    return text
  }

  private static func content(
    _ tag: DERTag, in bytes: [UInt8], _ range: Range<Int>
  ) throws(DERReader.Failure) -> Range<Int> {
    var reader = DERReader(in: range)
    let value = try reader.value(tag, bytes)
    try reader.finish()
    return value.content
  }
}
