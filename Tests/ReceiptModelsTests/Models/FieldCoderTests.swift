import Foundation
import JSONValues
import ReceiptModels
import StorekeeperFixtures
import Testing

/// The decoding rules.
///
/// Source: App Store rules, section 3.
@Suite("Reading and writing fields")
struct FieldCoderTests {
  static func transaction(_ name: String, _ text: String) throws -> Transaction {
    try Transaction(json: JSONValue(parsing: Array(#"{"\#(name)":\#(text)}"#.utf8)))
  }

  // MARK: Integers

  @Test(
    "an integer may have a fraction of zero and more than 32 bits",
    arguments: [
      ("1", 1), ("1.0", 1), ("-3.0", -3), ("1e3", 1000), ("0.0", 0), ("-0.0", 0),
      ("2147483648", 2_147_483_648), ("2147483648.0", 2_147_483_648),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ])
  func integers(text: String, value: Int) throws {
    let transaction = try Self.transaction("quantity", text)
    #expect(transaction.quantity == value)
    #expect(transaction.json == .object(["quantity": .integer(value)]))
  }

  @Test(
    "an integer is not guessed",
    arguments: [
      ("1.5", JSONKind.number), ("0.1", .number), ("1e300", .number),
      ("9223372036854775808", .number), (#""1""#, .string), (#""""#, .string),
      ("true", .boolean), ("[1]", .array), ("{}", .object),
    ])
  func noIntegers(text: String, found: JSONKind) {
    #expect(throws: FieldTypeFailure(path: "quantity", expected: .integer, found: found)) {
      try Self.transaction("quantity", text)
    }
    #expect(throws: FieldTypeFailure(path: "offerType", expected: .integer, found: found)) {
      try Self.transaction("offerType", text)
    }
  }

  // MARK: Dates

  @Test(
    "a date is milliseconds since 1970, fractional or negative, written whole",
    arguments: [
      ("0", 0, 0),
      ("1698148900000", 1_698_148_900, 1_698_148_900_000),
      ("1698148900123", 1_698_148_900.123, 1_698_148_900_123),
      ("1761962975000.123", 1_761_962_975.000123, 1_761_962_975_000),
      ("1697679936049.7297", 1_697_679_936.049_729_7, 1_697_679_936_050),
      ("-1", -0.001, -1),
      ("-62135769600000", -62_135_769_600, -62_135_769_600_000),
      ("1.6981489e12", 1_698_148_900, 1_698_148_900_000),
    ] as [(String, TimeInterval, Int)])
  func dates(text: String, seconds: TimeInterval, written: Int) throws {
    let transaction = try Self.transaction("purchaseDate", text)
    // Dividing by 1000 may cost the last bit, which is a quarter of a microsecond.
    let read = try #require(transaction.purchaseDate).timeIntervalSince1970
    #expect(abs(read - seconds) < 0.000_001)
    #expect(transaction.json == .object(["purchaseDate": .integer(written)]))
  }

  @Test("a date beyond 64 bits of milliseconds is still a date")
  func distantDate() throws {
    let transaction = try Self.transaction("purchaseDate", "1e30")
    #expect(transaction.purchaseDate == Date(timeIntervalSince1970: 1e27))
    #expect(transaction.json["purchaseDate"]?.kind == .number)
  }

  @Test("every whole millisecond survives, from the year 1 to the year 9999")
  func wholeMilliseconds() throws {
    print("Milliseconds: STOREKEEPER_SEED=\(SplitMix.seed)")
    var generator = SplitMix(state: SplitMix.seed)
    for _ in 0..<10_000 {
      let number = Int.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
      let json = JSONValue.object(["purchaseDate": .integer(number)])
      try #require(try Transaction(json: json).json == json, "seed \(SplitMix.seed)")
    }
  }

  // MARK: UUIDs

  @Test(
    "an optional UUID that is none is nil, and its text survives",
    arguments: [
      "", " ", "abc", "7e3fb20b4cdb47cc936d99d65f608138",
      "7e3fb20b-4cdb-47cc-936d-99d65f60813", "{7e3fb20b-4cdb-47cc-936d-99d65f608138}",
      "7e3fb20b-4cdb-47cc-936d-99d65f608138 ", "7e3fb20b-4cdb-47cc-936d-99d65f60813g",
    ])
  func lenientUUID(text: String) throws {
    let json = JSONValue.object(["appAccountToken": .string(text)])
    let transaction = try Transaction(json: json)
    #expect(transaction.appAccountToken == nil)
    #expect(transaction.additionalMembers == ["appAccountToken": .string(text)])
    #expect(transaction.json == json)
  }

  @Test("a UUID given later takes the place of the text that was none")
  func replacedUUID() throws {
    var transaction = try Self.transaction("appAccountToken", #""""#)
    let token = try #require(UUID(uuidString: "7e3fb20b-4cdb-47cc-936d-99d65f608138"))
    transaction.appAccountToken = token
    #expect(
      transaction.json
        == .object(["appAccountToken": .string("7e3fb20b-4cdb-47cc-936d-99d65f608138")]))
  }

  @Test("a UUID is read in either case and written in lower case")
  func caseOfUUID() throws {
    let transaction = try Self.transaction(
      "appAccountToken", #""7E3FB20B-4CDB-47CC-936D-99D65F608138""#)
    #expect(
      transaction.appAccountToken == UUID(uuidString: "7e3fb20b-4cdb-47cc-936d-99d65f608138"))
    #expect(transaction.additionalMembers == [:])
    #expect(
      transaction.json
        == .object(["appAccountToken": .string("7e3fb20b-4cdb-47cc-936d-99d65f608138")]))
  }

  @Test("a required UUID must be one")
  func requiredUUID() {
    let json = JSONValue.object(["requestReferenceId": .string("")])
    #expect(
      throws: FieldTypeFailure(path: "requestReferenceId", expected: .uuid, found: .string)
    ) {
      try AdvancedCommerceRequestInfo(json: json)
    }
  }

  // MARK: Objects

  @Test("an unknown member that is null is absent like any other")
  func unknownNull() throws {
    let transaction = try Self.transaction("brandNewField", "null")
    #expect(transaction == Transaction())
    #expect(transaction.json == .object([:]))
  }

  @Test("a list may be empty")
  func emptyList() throws {
    let json = JSONValue.object(["eligibleWinBackOfferIds": .array([])])
    let renewal = try RenewalInfo(json: json)
    #expect(renewal.eligibleWinBackOfferIDs == [])
    #expect(renewal.json == json)
  }

  @Test("an unknown value of a vocabulary is kept", arguments: ["", "BRAND_NEW", "production"])
  func unknownValue(text: String) throws {
    let json = JSONValue.object(["environment": .string(text)])
    let transaction = try Transaction(json: json)
    #expect(transaction.environment == AppStoreEnvironment(rawValue: text))
    #expect(transaction.environment?.isKnown == false)
    #expect(transaction.json == json)
  }

  @Test("a value that is no object is refused at the empty path")
  func noObject() {
    for json in [JSONValue.null, .array([]), .string("{}"), .integer(1)] {
      #expect(throws: FieldTypeFailure(expected: .object, found: json.kind)) {
        try Transaction(json: json)
      }
    }
  }

  @Test(
    "a failure says path and kinds, not the value",
    arguments: [
      (
        FieldTypeFailure(path: "items[0].price", expected: .integer, found: .string),
        "items[0].price: expected integer, found string"
      ),
      (
        FieldTypeFailure(expected: .object, found: .absent),
        "the value: expected object, found absent"
      ),
    ])
  func failureText(failure: FieldTypeFailure, text: String) {
    #expect(failure.description == text)
  }

  @Test("a decoder's failure tells where the model lies inside the whole")
  func codingPath() throws {
    let data = Data(#"{"outer":[{"quantity":1},{"quantity":"1"}]}"#.utf8)
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode([String: [Transaction]].self, from: data)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["outer", "Index 1"])
    #expect(
      context.underlyingError as? FieldTypeFailure
        == FieldTypeFailure(path: "quantity", expected: .integer, found: .string))
  }
}
