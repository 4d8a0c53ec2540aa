import Foundation
import StorekeeperCrypto
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("Content of app receipts")
struct ReceiptContentTests {
  @Test("encoded receipts decode to the same values")
  func roundTrip() throws {
    let written = ReceiptScene.receipt
    let verified = try ReceiptScene.verifier().verify(der: try ReceiptScene.authority.sign(written))
    var read = verified.receipt
    #expect(
      Set(read.attributes.map(\.type)).isSuperset(of: [0, 1, 2, 3, 4, 5, 12, 18, 19]))
    #expect(
      read.bundleIDValue == [0x0C, UInt8(read.bundleID.utf8.count)] + Array(read.bundleID.utf8))
    // The fields that only the bytes have.
    read.attributes = []
    read.bundleIDValue = []
    for index in read.purchases.indices { read.purchases[index].attributes = [] }
    #expect(read == written)
    #expect(verified.environment == .production)
    #expect(verified.transactionID == "1001")
  }

  @Test("unknown attributes are kept, even duplicates, and have no effect")
  func unknownAttributes() throws {
    let unknown = [
      AppReceipt.Attribute(type: 4711, version: 3, value: [1, 2, 3]),
      AppReceipt.Attribute(type: 4711, value: []),
    ]
    let der = try ReceiptScene.signed {
      $0.attributes = [unknown[0]]
      $0.purchases[0].attributes = unknown
    }
    let receipt = try ReceiptScene.verifier().verify(der: der).receipt
    #expect(receipt.attributes.contains(unknown[0]))
    #expect(receipt.purchases[0].attributes.contains(unknown[0]))
    #expect(receipt.purchases.count == 2)
  }

  /// Encodes an attribute: SEQUENCE { type, version 1, value }.
  private func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    let number: [UInt8] =
      type < 0x80
      ? [0x02, 1, UInt8(type)] : [0x02, 2, UInt8(type >> 8), UInt8(truncatingIfNeeded: type)]
    return tagged(0x30, number + [0x02, 1, 1] + tagged(0x04, value))
  }

  /// Encodes a value with a length of up to four bytes.
  private func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
    if count < 0x1_0000 {
      return [tag, 0x82, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)] + content
    }
    let high = UInt8(truncatingIfNeeded: count >> 16)
    let middle = UInt8(truncatingIfNeeded: count >> 8)
    return [tag, 0x83, high, middle, UInt8(truncatingIfNeeded: count)] + content
  }

  private func text(_ text: String) -> [UInt8] { tagged(0x0C, Array(text.utf8)) }
  private func date(_ text: String) -> [UInt8] { tagged(0x16, Array(text.utf8)) }

  /// The required attributes.
  private var required: [[UInt8]] {
    [
      attribute(0, text("Production")), attribute(2, text(ReceiptScene.bundleID)),
      attribute(12, date("2023-11-14T22:00:00Z")),
    ]
  }

  private func refusal(_ attributes: [[UInt8]]) throws -> ReceiptFailure? {
    let content = tagged(0x31, attributes.flatMap(\.self))
    return try ReceiptScene.refusal(
      of: try ReceiptScene.authority.sign(receiptContent: content))
  }

  @Test("the least that a receipt holds is accepted, in any order")
  func least() throws {
    #expect(try refusal(required) == nil)
    #expect(try refusal(required.reversed()) == nil)
  }

  @Test("required attributes must not be missing")
  func missing() throws {
    #expect(try refusal([required[1], required[2]]) == .missingAttribute(0))
    #expect(try refusal([required[0], required[2]]) == .missingAttribute(2))
    #expect(try refusal([required[0], required[1]]) == .noCreationDate)
    let empty = attribute(12, date(""))
    #expect(try refusal([required[0], required[1], empty]) == .noCreationDate)
    #expect(
      try refusal([attribute(0, text("")), required[1], required[2]]) == .missingAttribute(0))
  }

  @Test(
    "a single-valued attribute may not come twice", arguments: [0, 1, 2, 3, 4, 5, 12, 18, 19, 21])
  func duplicate(type: UInt16) throws {
    let values: [UInt16: [UInt8]] = [
      0: text("Production"), 1: [0x02, 1, 1], 2: text(ReceiptScene.bundleID), 3: text("1"),
      4: [1], 5: [1], 12: date("2023-11-14T22:00:00Z"), 18: date(""), 19: text("1"), 21: date(""),
    ]
    let value = try #require(values[type])
    let once = [0, 2, 12].contains(type) ? [] : [attribute(type, value)]
    let failure = try refusal(required + once + [attribute(type, value)])
    #expect(failure == .duplicateAttribute(Int(type)))
  }

  @Test("nor twice in a purchase")
  func duplicateInPurchase() throws {
    let id = attribute(1703, text("1"))
    let purchase = attribute(17, tagged(0x31, id + id))
    #expect(try refusal(required + [purchase]) == .duplicateAttribute(1703))
    // Two purchases with the same ID are two purchases.
    let twice = attribute(17, tagged(0x31, id))
    #expect(try refusal(required + [twice, twice]) == nil)
  }

  @Test("values that are not of the declared type are refused, with the place")
  func wrongValues() throws {
    let nineBytes: [UInt8] = [0x02, 9] + [UInt8](repeating: 1, count: 9)
    let values: [(UInt16, [UInt8])] = [
      (1, text("1")), (1, nineBytes), (1, [0x02, 0]), (1, [0x02, 2, 0, 1]), (1, [0x02, 5, 1]),
      (1, [0x02, 1, 1, 0]), (1, []), (3, [0x02, 1, 1]), (3, [0x0C, 1, 0xFF]),
      (3, [0x0C, 0x80]), (3, [0x0C, 0x81, 1, 0x31]), (3, [0x0C, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
      (3, tagged(0x04, text("1"))), (18, text("2023-11-14T22:00:00Z")), (18, date("yesterday")),
      (18, date("2023-02-29T00:00:00Z")), (18, date("2023-11-14T24:00:00Z")),
      (18, date("2023-11-14 22:00:00Z")), (18, date("2023-11-14T22:00:00")),
      (18, date("2023-11-14T22:00:00.Z")), (10, [0x16, 1, 0x80]),
    ]
    for (type, value) in values {
      let failure = try refusal(required + [attribute(type, value)])
      #expect(
        failure == .payloadMalformed(ReceiptPath(attribute: Int(type))), "\(type) \(value)")
    }
    let purchases: [(UInt16, [UInt8])] = [
      (1701, text("1")), (1702, [0x16, 1, 0x31]), (1702, []), (1704, date("1")), (1705, []),
      (1713, [0x02, 1, 2]),
    ]
    for (type, value) in purchases {
      let purchase = attribute(17, tagged(0x31, attribute(type, value)))
      let failure = try refusal(required + [purchase])
      let path = ReceiptPath(attribute: Int(type), purchase: 0)
      #expect(failure == .payloadMalformed(path), "\(type) \(value)")
    }
  }

  @Test("content that is no set of attributes is refused")
  func structure() throws {
    let malformed = ReceiptFailure.payloadMalformed(ReceiptPath())
    let contents: [[UInt8]] = [
      [], [0x31], [0x31, 0x80, 0, 0], [0x30, 0], [0x31, 1], [0x31, 0, 0],
    ]
    for content in contents {
      let der = try ReceiptScene.authority.sign(receiptContent: content)
      #expect(try ReceiptScene.refusal(of: der) == malformed, "\(content)")
    }
    #expect(try refusal(required + [tagged(0x30, [0x02, 1, 3])]) == malformed)
    #expect(try refusal(required + [[0x04, 0]]) == malformed)
    #expect(
      try refusal(required + [attribute(17, [])]) == .payloadMalformed(ReceiptPath(purchase: 0)))
  }

  @Test("10,000 levels are harmless, and are refused")
  func levels() throws {
    var nested: [UInt8] = []
    for _ in 0..<10_000 { nested = tagged(0x31, nested) }
    let malformed = ReceiptFailure.payloadMalformed(ReceiptPath())
    let der = try ReceiptScene.authority.sign(receiptContent: nested)
    #expect(try ReceiptScene.refusal(of: der) == malformed)
    let purchase = attribute(17, nested)
    #expect(try refusal(required + [purchase]) == .payloadMalformed(ReceiptPath(purchase: 0)))
  }

  @Test(
    "dates in the forms that receipts have",
    arguments: [
      ("2018-11-13T16:46:31Z", 1_542_127_591.0), ("1969-12-31T23:59:59Z", -1.0),
      ("2020-02-29T00:00:00Z", 1_582_934_400), ("2000-03-01T00:00:00Z", 951_868_800),
      ("2020-07-22T18:33:15+0100", 1_595_439_195), ("2020-07-22T18:33:15+01:00", 1_595_439_195),
      ("2020-07-22T12:33:15-0500", 1_595_439_195), ("2020-07-22T17:33:15.25Z", 1_595_439_195.25),
      ("4001-01-01T00:00:00Z", 64_092_211_200), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ])
  func dates(text: String, seconds: Double) throws {
    let content = tagged(0x31, (required + [attribute(18, date(text))]).flatMap(\.self))
    let der = try ReceiptScene.authority.sign(receiptContent: content)
    let receipt = try ReceiptScene.verifier().verify(der: der).receipt
    #expect(receipt.originalPurchaseDate == Date(timeIntervalSince1970: seconds))
  }

  @Test("a receipt of exactly 1 MiB is accepted, and one byte more is not looked at")
  func size() throws {
    let authority = try ReceiptScene.authority
    func receipt(padding: Int) throws -> [UInt8] {
      let filler = attribute(4711, [UInt8](repeating: 0x2E, count: padding))
      return try authority.sign(
        receiptContent: tagged(0x31, (required + [filler]).flatMap(\.self)))
    }
    let limit = 1 << 20
    let overhead = try receipt(padding: 900_000).count - 900_000
    let largest = try receipt(padding: limit - overhead)
    try #require(largest.count == limit)
    #expect(try ReceiptScene.refusal(of: largest) == nil)
    let text = Base64.encode(largest, .standard)
    #expect(throws: Never.self) { try ReceiptScene.verifier().verify(base64: text) }
    let larger = largest + [0]
    #expect(try ReceiptScene.refusal(of: larger) == .tooLarge(limit: limit))
    #expect(throws: ReceiptFailure.tooLarge(limit: limit)) {
      try ReceiptScene.verifier().verify(base64: Base64.encode(larger, .standard))
    }
    #expect(throws: ReceiptFailure.tooLarge(limit: limit)) {
      try ReceiptScene.verifier().verify(base64: String(repeating: "A", count: 1 << 22))
    }
  }
}
