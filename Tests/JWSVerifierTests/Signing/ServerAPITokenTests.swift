import JSONValues
import Foundation
import JWSVerifier
import StorekeeperTesting
import StorekeeperCrypto
import ReceiptModels
import Testing

@Suite("Bearer tokens for the App Store Server API")
struct ServerAPITokenTests {
  let sample: SigningSample

  init() throws {
    sample = try SigningSample()
  }

  private func signer(
    issuerID: String = SigningSample.issuerID, bundleID: String = SigningSample.bundleID,
    lifetime: Duration = .seconds(300)
  ) throws(SigningFailure) -> ServerAPITokenSigner {
    try ServerAPITokenSigner(
      key: sample.key, issuerID: issuerID, bundleID: bundleID, lifetime: lifetime)
  }

  @Test("header and claims are those of the contract, and no others")
  func claims() throws {
    let token = try SignedToken(
      try signer().token(at: Sample.now), signedBy: try sample.publicKey)
    #expect(
      token.header == [
        "alg": .string("ES256"), "typ": .string("JWT"), "kid": .string("2X9R4HXF34"),
      ])
    #expect(
      token.claims == [
        "iss": .string(SigningSample.issuerID), "iat": .integer(1_761_962_975),
        "exp": .integer(1_761_963_275), "aud": .string("appstoreconnect-v1"),
        "bid": .string("com.example.reader"),
      ])
  }

  @Test(
    "times are whole seconds, and the token never lives longer than asked for",
    arguments: [
      (1_761_962_975.0, 300.0, 1_761_962_975, 1_761_963_275),
      (1_761_962_975.999, 300, 1_761_962_975, 1_761_963_275),
      (1_761_962_975.001, 1.9, 1_761_962_975, 1_761_962_976),
      (1_761_962_975.5, 3_600, 1_761_962_975, 1_761_966_575),
      (1_761_962_975, 1, 1_761_962_975, 1_761_962_976),
    ])
  func times(moment: Double, lifetime: Double, issued: Int, expires: Int) throws {
    let text = try signer(lifetime: .seconds(lifetime))
      .token(at: Date(timeIntervalSince1970: moment))
    let token = try SignedToken(text, signedBy: try sample.publicKey)
    #expect(token.claims["iat"] == .integer(issued))
    #expect(token.claims["exp"] == .integer(expires))
  }

  @Test(
    "a lifetime is from one second to an hour",
    arguments: [
      .zero, .milliseconds(999), .seconds(-1), .milliseconds(3_600_001), .seconds(3_601),
      .seconds(86_400), .seconds(Int64.max), .seconds(Int64.min),
    ] as [Duration])
  func lifetime(time: Duration) {
    #expect(throws: SigningFailure.lifetimeOutOfRange(time)) {
      try signer(lifetime: time)
    }
  }

  @Test(
    "an issuer is a UUID",
    arguments: [
      "", "issuer", "99b16628-15e4-4668-972b", "99b1662815e44668972beeff55eeff55",
      "99b16628-15e4-4668-972b-eeff55eeff55 ", "{99b16628-15e4-4668-972b-eeff55eeff55}",
      "99b16628-15e4-4668-972b-eeff55eeffgg",
    ])
  func issuer(id: String) {
    #expect(throws: SigningFailure.issuerNotUUID) { try signer(issuerID: id) }
    #expect(throws: SigningFailure.issuerNotUUID) {
      try ClientRequestSigner(key: sample.key, issuerID: id, bundleID: "com.example.reader")
    }
  }

  @Test("a bundle id is not empty")
  func bundleID() {
    #expect(throws: SigningFailure.emptyBundleID) { try signer(bundleID: "") }
    #expect(throws: SigningFailure.emptyBundleID) {
      try ClientRequestSigner(key: sample.key, issuerID: SigningSample.issuerID, bundleID: "")
    }
    #expect(throws: SigningFailure.emptyBundleID) {
      try PromotionalOfferSigner(key: sample.key, bundleID: "")
    }
  }

  @Test("two tokens of one moment have one content and two signatures")
  func newEachTime() throws {
    let first = try TokenParts(signer().token(at: Sample.now))
    let second = try TokenParts(signer().token(at: Sample.now))
    #expect(first.content == second.content)
    #expect(first.signature != second.signature)
  }

  @Test("values are written as JSON, whatever characters they have")
  func escaping() throws {
    let key = try SigningKey(pem: try sample.privateKey.pem, keyID: "\"quoted\"\n\u{1}é😀")
    let signer = try ServerAPITokenSigner(
      key: key, issuerID: SigningSample.issuerID, bundleID: "com.\"example\\")
    let token = try SignedToken(signer.token(at: Sample.now), signedBy: try sample.publicKey)
    #expect(token.header["kid"] == .string("\"quoted\"\n\u{1}é😀"))
    #expect(token.claims["bid"] == .string("com.\"example\\"))
  }
}
