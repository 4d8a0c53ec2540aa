import Foundation
import JSONValues
import ReceiptModels
import Testing

/// Models that are read from a text where it is, compared with those read from its value.
@Suite("Reading models from a text")
struct TextReadingTests {
  private static func transaction(_ text: String) throws -> Transaction {
    let bytes = Array(text.utf8)
    let transaction = try Transaction(parsing: bytes)
    #expect(try Transaction(json: JSONValue(parsing: bytes)) == transaction)
    return transaction
  }

  private static func failure(_ text: String) throws -> FieldTypeFailure {
    let bytes = Array(text.utf8)
    let failure = try #require(throws: FieldTypeFailure.self) { try Transaction(parsing: bytes) }
    #expect(throws: failure) { try Transaction(json: JSONValue(parsing: bytes)) }
    return failure
  }

  @Test("a text that is no JSON is refused with the offset, as its value is")
  func syntax() throws {
    let bytes = Array(#"{"price":1,}"#.utf8)
    let failure = try #require(throws: JSONValue.SyntaxFailure.self) {
      try Transaction(parsing: bytes)
    }
    #expect(throws: failure) { try JSONValue(parsing: bytes) }
  }

  @Test("the first of duplicates counts, and the others are dropped")
  func duplicates() throws {
    let transaction = try Self.transaction(
      #"{"price":1,"a":1,"bundleId":null,"price":2,"currency":"EUR","a":2,"bundleId":"b"}"#)
    #expect(transaction.price == 1)
    #expect(transaction.bundleID == nil)
    #expect(transaction.currency == "EUR")
    #expect(transaction.additionalMembers == ["a": .integer(1)])
  }

  @Test("a name may be written with escapes")
  func escapedNames() throws {
    let transaction = try Self.transaction(
      #"{"\u0070rice":1,"price":2,"appAccountToken":"","appAccount\u0054oken":"b","\u00e9":3}"#)
    #expect(transaction.price == 1)
    #expect(
      transaction.additionalMembers == ["appAccountToken": .string(""), "é": .integer(3)])
  }

  @Test("names of one length, with the same ends, are told apart", arguments: [1, 7, 8, 9, 20])
  func similarNames(length: Int) throws {
    let name = String(repeating: "p", count: length)
    let transaction = try Self.transaction(
      #"{"pxxce":0,"prixe":1,"price":2,"\#(name)":3,"offerIdentifxer":4,"offerIdentifier":"o"}"#)
    #expect(transaction.price == 2)
    #expect(transaction.offerIdentifier == "o")
    #expect(
      transaction.additionalMembers == [
        "pxxce": .integer(0), "prixe": .integer(1), name: .integer(3),
        "offerIdentifxer": .integer(4),
      ])
  }

  @Test("an object may have any number of members", arguments: [0, 1, 62, 63, 64, 65, 1000])
  func memberCounts(count: Int) throws {
    let unknown = (0..<count).map { #""unknown\#($0)":{"a":[\#($0)]},"# }.joined()
    let transaction = try Self.transaction(#"{\#(unknown)"price":5}"#)
    #expect(transaction.price == 5)
    #expect(transaction.additionalMembers.count == count)
  }

  @Test(
    "a failure has the path of its member",
    arguments: [
      (#"[1]"#, "", JSONKind.object, JSONKind.array),
      (#"{"price":1.5}"#, "price", .integer, .number),
      (#"{"commitmentInfo":7}"#, "commitmentInfo", .object, .integer),
      (#"{"advancedCommerceInfo":{"items":{}}}"#, "advancedCommerceInfo.items", .array, .object),
      (
        #"{"advancedCommerceInfo":{"items":[{},{"price":"1"}]}}"#,
        "advancedCommerceInfo.items[1].price", .integer, .string
      ),
    ])
  func failures(text: String, path: String, expected: JSONKind, found: JSONKind) throws {
    #expect(
      try Self.failure(text) == FieldTypeFailure(path: path, expected: expected, found: found))
  }

  @Test(
    "a moment of verifyReceipt is read from a text with or without escapes",
    arguments: [
      #"2017-07-14 02:40:00 Etc/GMT"#, #"2017-07-14 02:40:00 Etc\/GMT"#,
      #"2017-07-14\u002002:40:00 Etc\u002fGMT"#,
    ])
  func moments(spelling: String) throws {
    let json = #"{"purchase_date":"\#(spelling)","expires_date":"\#(spelling)x"}"#
    let text = try JSONText(checking: Array(json.utf8), within: .values)
    let transaction = try ReceiptTransaction(text, at: text.root)
    #expect(try ReceiptTransaction(json: text.value(at: text.root)) == transaction)
    #expect(transaction.purchaseDate?.timeIntervalSince1970 == 1_500_000_000)
    #expect(transaction.expiresDate == nil)
    #expect(transaction.additionalMembers.keys.sorted() == ["expires_date"])
  }
}
