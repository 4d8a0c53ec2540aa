import Foundation
import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import StorekeeperTesting
import StorekeeperFixtures
import Testing

/// Input that a client may send instead of a token, with the expected failure of both readers.
struct BadInput: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var text: String
  var reason: SignedDataFailure

  init(_ description: String, _ text: String, _ reason: SignedDataFailure) {
    testDescription = description
    self.text = text
    self.reason = reason
  }

  static let all: [BadInput] = [
    BadInput("nothing", "", .malformedToken),
    BadInput("a space", " ", .malformedToken),
    BadInput("line feeds", "\n\n\n", .malformedToken),
    BadInput("NUL", "\0", .malformedToken),
    BadInput("NULs and dots", "\0.\0.\0", .badEncoding(.header)),
    BadInput("emoji", "😀", .malformedToken),
    BadInput("emoji and dots", "😀.😀.😀", .badEncoding(.header)),
    BadInput("one dot", ".", .malformedToken),
    BadInput("100 000 dots", String(repeating: ".", count: 100_000), .malformedToken),
    BadInput("dots of another script", "e30。e30。AAAA", .malformedToken),
    BadInput(
      "262 145 bytes", String(repeating: "A", count: 262_145),
      .tokenTooLarge(limit: 262_144)),
    BadInput(
      "a megabyte of dots", String(repeating: ".", count: 1_048_576),
      .tokenTooLarge(limit: 262_144)),
    BadInput(
      "a megabyte of emoji", String(repeating: "😀", count: 262_144),
      .tokenTooLarge(limit: 262_144)),
    BadInput(
      "binary in the header", "\(base64(Array(0...255))).e30.AAAA", .malformedHeader),
    BadInput("zeros in the header", "\(base64([0, 0, 0])).e30.AAAA", .malformedHeader),
    BadInput(
      "a nesting bomb in the header",
      "\(base64(Array(String(repeating: "[", count: 150_000).utf8))).e30.AAAA",
      .malformedHeader),
    BadInput(
      "a nesting bomb of objects in the header",
      "\(base64(Array(String(repeating: "{\"alg\":", count: 25_000).utf8))).e30.AAAA",
      .malformedHeader),
    BadInput("white space inside", "e30 .e30.AAAA", .badEncoding(.header)),
    BadInput("JSON", #"{"signedTransactionInfo":"e30.e30.AAAA"}"#, .badEncoding(.header)),
    BadInput("an address", "https://example.com/a.b", .badEncoding(.header)),
    BadInput("a path", "../../etc/passwd", .malformedToken),
    BadInput("a quoted token", "\"e30.e30.AAAA\"", .badEncoding(.header)),
    BadInput("percent signs", "e30%2Ee30%2EAAAA", .malformedToken),
    BadInput("lone accents", "\u{301}.\u{301}.\u{301}", .badEncoding(.header)),
    BadInput("an app receipt", "MIIUVQYJKoZIhvcNAQcCoIIURjCCFEICAQExCzAJBgUr", .malformedToken),
  ]

  private static func base64(_ bytes: [UInt8]) -> String { Base64.encode(bytes, .url) }
}

@Suite("Input that is not a token")
struct BadInputTests {
  @Test("each function of a verifier refuses it with the same reason", arguments: BadInput.all)
  func verifier(input: BadInput) throws {
    let verifier = try SignedDataVerifier(apps: [Sample.app], environments: .auto)
    #expect(throws: input.reason) { try verifier.transaction(input.text) }
    #expect(throws: input.reason) { try verifier.renewalInfo(input.text) }
    #expect(throws: input.reason) { try verifier.appTransaction(input.text) }
    #expect(throws: input.reason) { try verifier.notification(input.text) }
    #expect(throws: input.reason) { try verifier.notificationEnvelope(input.text) }
    #expect(throws: input.reason) { try verifier.realtimeRequest(input.text) }
    #expect(verifier.cachedHeaders == 0)
  }

  @Test("each function of a reader of test data refuses it alike", arguments: BadInput.all)
  func reader(input: BadInput) throws {
    let reader = LocalTestDataReader(environment: .xcode, bundleIDs: [Sample.app.bundleID])
    #expect(throws: input.reason) { try reader.transaction(input.text) }
    #expect(throws: input.reason) { try reader.renewalInfo(input.text) }
    #expect(throws: input.reason) { try reader.appTransaction(input.text) }
    #expect(throws: input.reason) { try reader.notification(input.text) }
    #expect(throws: input.reason) { try reader.realtimeRequest(input.text) }
  }

  /// The random generator is seeded, so that a failure can be repeated.
  @Test("a token with any byte exchanged for any other is refused, and nothing crashes")
  func exchangedBytes() throws {
    let authority = try TestAuthority()
    let verifier = try authority.verifier(clockPolicy: .now)
    let token = Array(try authority.sign(Sample.transaction()).utf8)
    var random = SplitMix(state: 20_251_101)
    for _ in 0..<2_000 {
      var changed = token
      let index = Int.random(in: token.indices, using: &random)
      changed[index] = UInt8.random(in: 0...255, using: &random)
      guard changed != token else { continue }
      let text = String(decoding: changed, as: UTF8.self)
      #expect(throws: SignedDataFailure.self, "byte \(index) to \(changed[index])") {
        try verifier.transaction(text)
      }
    }
  }

  @Test("a token cut off anywhere is refused, and nothing crashes")
  func cutTokens() throws {
    let authority = try TestAuthority()
    let verifier = try authority.verifier()
    let token = try authority.sign(Sample.transaction())
    let reasons: Set = ["malformedToken", "badEncoding", "signatureMalformed"]
    for count in 0..<token.utf8.count {
      let failure = #expect(throws: SignedDataFailure.self) {
        try verifier.transaction(String(token.prefix(count)))
      }
      #expect(
        failure.map { reasons.contains($0.name) } == true,
        "\(count): \(String(describing: failure))")
    }
  }
}
