import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels
import Testing

/// The payload of a recorded token, read without any check of its signature.
struct PayloadFixture: Sendable, CustomTestStringConvertible {
  var path: String
  var contract: ContractModel
  var testDescription: String { path }

  func payload() throws -> JSONValue {
    let segments = try Fixtures.text(path).split(separator: ".", omittingEmptySubsequences: false)
    let base64 = segments[1].replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
    let data = try #require(Data(base64Encoded: base64 + padding))
    return try JSONValue(parsing: Array(data))
  }
}

@Suite(
  "Recorded payloads of tokens", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct SignedPayloadFixtureTests {
  static let whole: [PayloadFixture] = [
    PayloadFixture(
      path: "signed-data/apple/goiap-sandbox-renewal-info-2023.jws", contract: .renewalInfo),
    PayloadFixture(
      path: "signed-data/apple-library/testNotification.jws", contract: .serverNotification),
    PayloadFixture(
      path: "signed-data/apple-library/transactionInfo.jws", contract: .transaction),
    PayloadFixture(path: "signed-data/derived/valid.jws", contract: .transaction),
    PayloadFixture(path: "signed-data/derived/token-empty.jws", contract: .transaction),
    PayloadFixture(path: "signed-data/derived/quantity-overflow.jws", contract: .transaction),
    PayloadFixture(path: "signed-data/derived/unknown-field.jws", contract: .transaction),
    PayloadFixture(path: "signed-data/derived/env-unknown.jws", contract: .transaction),
    PayloadFixture(path: "signed-data/derived/signeddate-missing.jws", contract: .transaction),
  ]

  @Test("decode, and encode to the same members", arguments: whole)
  func roundTrip(_ fixture: PayloadFixture) throws {
    let json = try fixture.payload()
    #expect(try fixture.contract.read(json).json == json)
  }

  static let fractional: [PayloadFixture] = [
    PayloadFixture(path: "signed-data/derived/signeddate-fractional.jws", contract: .transaction),
    PayloadFixture(path: "xcode/xcode-signed-transaction.jws", contract: .transaction),
    PayloadFixture(path: "xcode/xcode-signed-app-transaction.jws", contract: .appTransaction),
  ]

  @Test("with fractional dates encode to whole milliseconds", arguments: fractional)
  func fractionalDates(_ fixture: PayloadFixture) throws {
    var expected = try fixture.payload()
    for field in fixture.contract.fields {
      guard case .date = field.shape, case .number(let number)? = expected[field.name] else {
        continue
      }
      expected = expected.replacing(
        [.member(field.name)], by: .integer(Int(number.rounded())))
    }
    #expect(try fixture.contract.read(fixture.payload()).json == expected)
  }

  @Test("of Xcode keep what a server never gets among the additional members")
  func xcodeMembers() throws {
    let transaction = try Transaction(
      json: PayloadFixture(path: "xcode/xcode-signed-transaction.jws", contract: .transaction)
        .payload())
    #expect(
      Set(transaction.additionalMembers.keys) == ["deviceVerification", "deviceVerificationNonce"])
    let app = try AppTransaction(
      json: PayloadFixture(
        path: "xcode/xcode-signed-app-transaction.jws", contract: .appTransaction
      ).payload())
    #expect(Set(app.additionalMembers.keys) == ["requestDate"])
    #expect(app.originalPurchaseDate == Date(timeIntervalSince1970: -62_135_769_600))
  }

  @Test("with a date as text are refused")
  func dateAsText() throws {
    let json = try PayloadFixture(
      path: "signed-data/derived/signeddate-string.jws", contract: .transaction
    ).payload()
    #expect(throws: FieldTypeFailure(path: "signedDate", expected: .number, found: .string)) {
      try Transaction(json: json)
    }
  }

  @Test("with the environment twice count the first")
  func duplicateEnvironment() throws {
    let json = try PayloadFixture(
      path: "signed-data/derived/dup-key-env.jws", contract: .transaction
    ).payload()
    #expect(try Transaction(json: json).environment == .sandbox)
  }
}
