internal import StorekeeperCrypto
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A reader of the attributes of a receipt or of one purchase: a SET OF SEQUENCE { type INTEGER,
/// version INTEGER, value OCTET STRING } in any order.
struct ReceiptAttributeReader {
  private var elements: DERReader

  /// Creates a reader of the set that fills a range of bytes.
  init(_ bytes: [UInt8], in range: Range<Int>) throws(DERReader.Failure) {
    var whole = DERReader(in: range)
    elements = try whole.contents(.set, bytes)
    try whole.finish()
  }

  /// Returns the next attribute, or nil at the end.
  mutating func next(_ bytes: [UInt8]) throws(DERReader.Failure) -> AttributeTable.Place? {
    guard !elements.isAtEnd else { return nil }
    var fields = try elements.contents(.sequence, bytes)
    let type = try fields.number(bytes)
    let version = try fields.number(bytes)
    let value = try fields.value(.octetString, bytes)
    try fields.finish()
    return AttributeTable.Place(type: type, version: version, value: value.content)
  }
}

/// The decoding of an attribute's value: one DER value that fills its octet string.
enum ReceiptValue {
  /// Decodes an integer.
  static func integer(in bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> Int {
    var reader = DERReader(in: range)
    let number = try reader.number(bytes)
    try reader.finish()
    return number
  }

  /// Decodes a text in UTF-8; nil when it is empty.
  static func text(in bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> String? {
    try text(bytes, try content(.utf8String, in: bytes, range))
  }

  /// Decodes a text in ASCII; nil when it is empty.
  static func plainText(
    in bytes: [UInt8], _ range: Range<Int>
  ) throws(DERReader.Failure) -> String? {
    let content = try content(.ia5String, in: bytes, range)
    guard isASCII(bytes, content) else { throw DERReader.Failure() }
    return try text(bytes, content)
  }

  /// Decodes a date; nil when the text is empty.
  static func date(in bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> Date? {
    let content = try content(.ia5String, in: bytes, range)
    if content.isEmpty { return nil }
    guard let date = Date(receiptAttribute: bytes, in: content) else { throw DERReader.Failure() }
    return date
  }

  private static func text(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(DERReader.Failure) -> String? {
    if range.isEmpty { return nil }
    // Validating any other text takes four times as long.
    if isASCII(bytes, range) { return String(decoding: bytes[range], as: UTF8.self) }
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw DERReader.Failure()
    }
    return text
  }

  private static func isASCII(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var all: UInt8 = 0
    for index in range { all |= bytes[index] }
    return all < 0x80
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

/// The last text of an attribute, which the next purchase often repeats: all renewals of a
/// subscription have the same product and original transaction.
struct RepeatedText {
  /// The place of the last text; nil before the first one.
  private var range: Range<Int>?
  private var last: String?

  /// Decodes a text in UTF-8; nil when it is empty.
  mutating func text(in bytes: [UInt8], _ range: Range<Int>) throws(DERReader.Failure) -> String? {
    if let known = self.range, bytes[range].equals(bytes[known]) { return last }
    last = try ReceiptValue.text(in: bytes, range)
    self.range = range
    return last
  }
}
