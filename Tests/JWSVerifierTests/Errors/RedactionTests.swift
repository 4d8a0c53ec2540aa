import JSONValues
import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import StorekeeperTesting
import Testing

/// No token, payload or key gets into a log by way of what Swift prints of a value.
@Suite("What values show of themselves")
struct RedactionTests {
  /// A value that stands in the payloads and nowhere else.
  private static let secret = "7e3fb20b-4cdb-47cc-936d-99d65f608138"

  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier()
  }

  /// Everything that Swift prints of a value.
  private func shown(_ value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), "\(value)", "\([value])", dumped]
  }

  private func expectNothing(
    of token: String, in value: some Any, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let parts = try TokenParts(token)
    for text in shown(value) {
      for part in [Self.secret, parts.payload, String(parts.header.prefix(64)), parts.signature] {
        #expect(!text.contains(part), "\(text.prefix(200))", sourceLocation: sourceLocation)
      }
    }
  }

  private func token(_ changes: Sample.Changes = [:]) throws -> String {
    try authority.sign(
      Sample.transaction(["appAccountToken": .string(Self.secret)].merging(changes) { $1 }))
  }

  @Test("verified data shows neither token nor payload")
  func verified() throws {
    let token = try token()
    let verified = try verifier.transaction(token)
    try expectNothing(of: token, in: verified)
    try expectNothing(of: token, in: Optional(verified))
    try expectNothing(of: token, in: verifier.verify([token]))
    #expect(verified.description == "Verified<Transaction>(Sandbox)")
  }

  @Test("a verified notification shows neither token nor payload")
  func notification() throws {
    let nested = try token()
    let token = try authority.sign(
      Sample.notification("data", ["signedTransactionInfo": .string(nested)]))
    let verified = try verifier.notification(token)
    try expectNothing(of: token, in: verified)
    try expectNothing(of: nested, in: verified)
    try expectNothing(of: nested, in: verified.payload)
  }

  @Test("data of a local test shows neither token nor payload")
  func localTestData() throws {
    let token = try token(["environment": .string("Xcode")])
    let reader = LocalTestDataReader(environment: .xcode, bundleIDs: [Sample.app.bundleID])
    let data = try reader.transaction(token)
    try expectNothing(of: token, in: data)
    #expect(data.description == "LocalTestData<Transaction>(Xcode)")
  }

  static let refusals: [Sample.Changes] = [
    ["environment": nil], ["environment": .string("Production")], ["environment": .string("Foo")],
    ["bundleId": .string("com.example.other")], ["quantity": .string("1")],
    ["signedDate": .integer(4_102_444_800_000)],
  ]

  @Test("a failure shows neither token nor payload", arguments: refusals)
  func failures(changes: Sample.Changes) throws {
    let token = try token(changes)
    let failure = #expect(throws: SignedDataFailure.self) { try verifier.transaction(token) }
    try expectNothing(of: token, in: try #require(failure))
    let nested = try authority.sign(
      Sample.notification("data", ["signedTransactionInfo": .string(token)]))
    let outer = #expect(throws: SignedDataFailure.self) { try verifier.notification(nested) }
    try expectNothing(of: token, in: try #require(outer))
  }

  @Test("a failure about a token that nobody signed shows nothing of it")
  func unsigned() throws {
    let parts = try TokenParts(token())
    for attack in [
      parts.replacing(signature: [UInt8](repeating: 1, count: 64)), parts.replacing(signature: []),
      parts.text + "\n", "\(parts.text).", "e30.\(parts.payload).",
    ] {
      let failure = #expect(throws: SignedDataFailure.self) { try verifier.transaction(attack) }
      try expectNothing(of: parts.text, in: try #require(failure))
    }
  }

  @Test("bytes of a payload that is not understood show their number only")
  func verifiedBytes() throws {
    let payload = Array("[\"\(Self.secret)\"]".utf8)
    let token = try authority.sign(payload, header: authority.header)
    let failure = #expect(throws: SignedDataFailure.self) { try verifier.transaction(token) }
    guard case .payloadMalformed(let bytes) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(bytes.bytes == payload)
    #expect(bytes.description == "40 verified bytes")
    for text in shown(bytes) {
      #expect(!text.contains(Self.secret) && !text.contains("\(payload[5]), \(payload[6])"))
    }
    try expectNothing(of: token, in: bytes)
    try expectNothing(of: token, in: try #require(failure))
  }

  @Test("a key shows its id only, and so do the signers that hold it")
  func signingKey() throws {
    let pem = try PrivateKey(generating: .p256).pem
    let key = try SigningKey(pem: pem, keyID: "2X9R4HXF34")
    let lines = pem.split(separator: "\n").dropFirst().dropLast()
    let issuerID = "99b16628-15e4-4668-972b-eeff55eeff55"
    let values: [Any] = [
      key, Optional(key) as Any,
      try ServerAPITokenSigner(key: key, issuerID: issuerID, bundleID: "com.example.reader"),
      try ClientRequestSigner(key: key, issuerID: issuerID, bundleID: "com.example.reader"),
      try PromotionalOfferSigner(key: key, bundleID: "com.example.reader"),
      try PrivateKey(pem: pem),
    ]
    for value in values {
      for text in shown(value) {
        for line in lines { #expect(!text.contains(line)) }
      }
    }
    #expect(key.description == "SigningKey(2X9R4HXF34)")
  }

  @Test("a failure to read a key shows nothing of it")
  func malformedKey() throws {
    let pem = try PrivateKey(generating: .p256).pem
    let lines = pem.split(separator: "\n")
    let cut = lines.dropLast(2).joined(separator: "\n")
    let failure = #expect(throws: SigningFailure.malformedKey) {
      try SigningKey(pem: cut, keyID: "2X9R4HXF34")
    }
    for text in shown(try #require(failure)) {
      for line in lines.dropFirst().dropLast() { #expect(!text.contains(line)) }
    }
  }
}
