import StorekeeperFixtures
import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Data of Xcode and of local tests")
struct LocalTestDataReaderTests {
  private static let reader = LocalTestDataReader(
    environment: .xcode, bundleIDs: [Sample.app.bundleID])

  /// A token as anyone can write it, without signature.
  private func unsigned(_ payload: JSONValue, header: String = "{}") -> String {
    Base64.encode(Array(header.utf8), .url) + "." + Base64.encode(payload.serialized, .url) + "."
  }

  private static let xcode: Sample.Changes = ["environment": .string("Xcode")]

  // MARK: Accepted by the reader

  @Test("an unsigned token is accepted by the reader and refused by a verifier")
  func unsigned() throws {
    let token = unsigned(Sample.transaction(Self.xcode))
    let data = try Self.reader.transaction(token)
    #expect(data.environment == .xcode)
    #expect(data.token == token)
    #expect(data.payload.transactionID == "2000000000000002")
    let verifier = try SignedDataVerifier(apps: [Sample.app], environments: .auto)
    #expect(throws: SignedDataFailure.unsupportedAlgorithm(nil)) {
      try verifier.transaction(token)
    }
    let none = unsigned(Sample.transaction(Self.xcode), header: #"{"alg":"none"}"#)
    #expect(throws: SignedDataFailure.unsupportedAlgorithm("none")) {
      try verifier.transaction(none)
    }
    let named = unsigned(Sample.transaction(Self.xcode), header: #"{"alg":"ES256"}"#)
    #expect(throws: SignedDataFailure.missingCertificateChain) { try verifier.transaction(named) }
  }

  @Test("every kind of payload is read")
  func everyKind() throws {
    #expect(
      try Self.reader.renewalInfo(unsigned(Sample.renewalInfo(Self.xcode))).environment == .xcode)
    #expect(
      try Self.reader.appTransaction(
        unsigned(Sample.appTransaction(["receiptType": .string("Xcode")]))
      ).environment == .xcode)
    #expect(
      try Self.reader.realtimeRequest(unsigned(Sample.realtimeRequest(Self.xcode))).payload
        .productID == "reader.month")
    for shape in ["data", "summary", "appData"] {
      let data = try Self.reader.notification(unsigned(Sample.notification(shape, Self.xcode)))
      #expect(data.payload.notificationType == .test)
    }
  }

  @Test("each reader accepts its own environment only")
  func environments() throws {
    let all: [(String, SignedDataFailure?)] = [
      ("Xcode", nil), ("LocalTesting", .environmentNotAllowed(.localTesting)),
      ("Sandbox", .environmentNotAllowed(.sandbox)),
      ("Production", .environmentNotAllowed(.production)), ("Foo", .environmentUnknown("Foo")),
      ("xcode", .environmentUnknown("xcode")),
    ]
    for (name, reason) in all {
      let token = unsigned(Sample.transaction(["environment": .string(name)]))
      guard let reason else {
        #expect(try Self.reader.transaction(token).environment.rawValue == name)
        continue
      }
      #expect(throws: reason) { try Self.reader.transaction(token) }
    }
    #expect(throws: SignedDataFailure.environmentMissing) {
      try Self.reader.transaction(unsigned(Sample.transaction(["environment": nil])))
    }
    let local = LocalTestDataReader(
      environment: .localTesting, bundleIDs: [Sample.app.bundleID])
    #expect(throws: SignedDataFailure.environmentNotAllowed(.xcode)) {
      try local.transaction(unsigned(Sample.transaction(Self.xcode)))
    }
    let data = try local.transaction(
      unsigned(Sample.transaction(["environment": .string("LocalTesting")])))
    #expect(data.environment == .localTesting)
  }

  @Test("a payload of Production that is really signed is no test data")
  func signedProduction() throws {
    let authority = try TestAuthority()
    let token = try authority.sign(Sample.transaction(Sample.production))
    #expect(throws: SignedDataFailure.environmentNotAllowed(.production)) {
      try Self.reader.transaction(token)
    }
  }

  // MARK: Refused

  @Test("another bundle id, or none, is a mismatch")
  func bundle() throws {
    for bundleID in ["com.example.other", "com.example.Reader", ""] {
      let changes = Self.xcode.merging(["bundleId": .string(bundleID)]) { $1 }
      #expect(throws: SignedDataFailure.bundleMismatch(found: bundleID)) {
        try Self.reader.transaction(unsigned(Sample.transaction(changes)))
      }
    }
    let none = Self.xcode.merging(["bundleId": nil]) { $1 }
    #expect(throws: SignedDataFailure.bundleMismatch(found: nil)) {
      try Self.reader.transaction(unsigned(Sample.transaction(none)))
    }
    let nobody = LocalTestDataReader(environment: .xcode, bundleIDs: [])
    #expect(throws: SignedDataFailure.bundleMismatch(found: "com.example.reader")) {
      try nobody.transaction(unsigned(Sample.transaction(Self.xcode)))
    }
  }

  @Test(
    "the form is checked as in signed data",
    arguments: [
      ("", SignedDataFailure.malformedToken), ("e30.e30", .malformedToken),
      ("e30..", .malformedToken), (".e30.", .malformedToken), ("e30=.e30.", .badEncoding(.header)),
      ("e30.e30=.", .badEncoding(.payload)), ("e30.e30.A", .badEncoding(.signature)),
      ("e30.e30.\n", .badEncoding(.signature)), ("W10.e30.", .malformedHeader),
      ("AAAA.e30.", .malformedHeader), ("e30.e30.", .environmentMissing),
      ("e30.e30.AAAA", .environmentMissing),
      (String(repeating: "A", count: 262_145), .tokenTooLarge(limit: 262_144)),
    ])
  func form(token: String, reason: SignedDataFailure) {
    #expect(throws: reason) { try Self.reader.transaction(token) }
  }

  @Test("content is checked as in signed data")
  func content() throws {
    let array = #expect(throws: SignedDataFailure.self) {
      try Self.reader.transaction(unsigned(.array([])))
    }
    #expect(array?.name == "payloadMalformed")
    let changes = Self.xcode.merging(["quantity": .string("1")]) { $1 }
    let failure = #expect(throws: SignedDataFailure.self) {
      try Self.reader.transaction(unsigned(Sample.transaction(changes)))
    }
    guard case .fieldType(let fault, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(fault == FieldTypeFailure(path: "quantity", expected: .integer, found: .string))
    #expect(throws: SignedDataFailure.notificationShape(count: 0)) {
      try Self.reader.notification(unsigned(Sample.transaction(Self.xcode)))
    }
  }
}

@Suite("Tokens that Xcode made", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct XcodeTokenTests {
  private static let bundleID = "com.example.naturelab.backyardbirds.example"
  private static let reader = LocalTestDataReader(environment: .xcode, bundleIDs: [bundleID])

  private func token(_ name: String) throws -> String {
    try Fixtures.text("xcode/\(name).jws").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("the transaction is read, with its fractional milliseconds")
  func transaction() throws {
    let payload = try Self.reader.transaction(token("xcode-signed-transaction")).payload
    #expect(payload.transactionID == "0")
    #expect(payload.bundleID == Self.bundleID)
    #expect(payload.productID == "pass.premium")
    #expect(payload.environment == .xcode)
    #expect(payload.offerType == .introductory)
    // 1697679936056.485 milliseconds.
    let signed = try #require(payload.signedDate).timeIntervalSince1970
    #expect(abs(signed - 1_697_679_936.056_485) < 0.000_001)
  }

  @Test("the app transaction is read, with its date in the year 1")
  func appTransaction() throws {
    let payload = try Self.reader.appTransaction(token("xcode-signed-app-transaction")).payload
    #expect(payload.receiptType == .xcode)
    #expect(payload.applicationVersion == "1")
    #expect(
      payload.originalPurchaseDate == Date(timeIntervalSince1970: -62_135_769_600))
    let created = try #require(payload.receiptCreationDate).timeIntervalSince1970
    #expect(abs(created - 1_697_680_122.257_447) < 0.000_001)
    #expect(payload.additionalMembers["requestDate"] == .number(1_697_680_122_257.447))
  }

  @Test("a verifier refuses both for their one certificate")
  func verifier() throws {
    for environments in [[.sandbox], [.production], .auto] as [Set<AppStoreEnvironment>] {
      let verifier = try SignedDataVerifier(
        apps: [App(bundleID: Self.bundleID, appAppleID: 1)], environments: environments)
      #expect(throws: SignedDataFailure.wrongChainLength(1)) {
        try verifier.transaction(token("xcode-signed-transaction"))
      }
      #expect(throws: SignedDataFailure.wrongChainLength(1)) {
        try verifier.appTransaction(token("xcode-signed-app-transaction"))
      }
    }
  }

  @Test("a reader of another app or environment refuses both")
  func otherReader() throws {
    let other = LocalTestDataReader(environment: .xcode, bundleIDs: ["com.example.other"])
    #expect(throws: SignedDataFailure.bundleMismatch(found: Self.bundleID)) {
      try other.transaction(token("xcode-signed-transaction"))
    }
    #expect(throws: SignedDataFailure.bundleMismatch(found: Self.bundleID)) {
      try other.appTransaction(token("xcode-signed-app-transaction"))
    }
    let local = LocalTestDataReader(environment: .localTesting, bundleIDs: [Self.bundleID])
    #expect(throws: SignedDataFailure.environmentNotAllowed(.xcode)) {
      try local.transaction(token("xcode-signed-transaction"))
    }
  }

  @Test("one kind given to the function of another is refused")
  func otherKind() throws {
    #expect(throws: SignedDataFailure.environmentMissing) {
      try Self.reader.appTransaction(token("xcode-signed-transaction"))
    }
    #expect(throws: SignedDataFailure.environmentMissing) {
      try Self.reader.transaction(token("xcode-signed-app-transaction"))
    }
  }
}
