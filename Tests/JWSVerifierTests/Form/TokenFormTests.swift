import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("The form of a token")
struct TokenFormTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier()
  }

  @Test(
    "a token has three segments, and its header and payload are not empty",
    arguments: [
      "", ".", "..", "...", "e30", "e30.e30", "e30.e30.AAAA.", "e30.e30.AAAA.AAAA", ".e30.AAAA",
      "e30..AAAA", ".e30.", "e30..", "e30.e30.AAAA.AAAA.AAAA",
    ])
  func segments(token: String) {
    #expect(throws: SignedDataFailure.malformedToken) { try verifier.transaction(token) }
  }

  @Test(
    "a segment is base64url without padding, foreign characters or unused bits",
    arguments: [
      // One character stands for no byte (RFC 4648 section 3.2: a length of 1 modulo 4).
      ("a.b.c", TokenSegment.header), ("e30.a.AAAA", .payload), ("e30.e30.A", .signature),
      ("e30=.e30.AAAA", .header), ("e30.e30=.AAAA", .payload), ("e30.e30.AA==", .signature),
      ("e3+0.e30.AAAA", .header), ("e30.e3+0.AAAA", .payload), ("e30.e30.AA+A", .signature),
      ("e3/0.e30.AAAA", .header), ("e30.e3/0.AAAA", .payload), ("e30.e30.AA/A", .signature),
      ("e3 0.e30.AAAA", .header), ("e30.e3 0.AAAA", .payload), ("e30.e30.AA A", .signature),
      (" e30.e30.AAAA", .header), ("e30.e30\t.AAAA", .payload), ("e30.e30.AAAA ", .signature),
      ("e30\n.e30.AAAA", .header), ("e30.\r\ne30.AAAA", .payload), ("e30.e30.AAAA\n", .signature),
      ("e31.e30.AAAA", .header), ("e30.e31.AAAA", .payload), ("e30.e30.AAB", .signature),
      ("e3.e30.AAAA", .header), ("e30.e3.AAAA", .payload), ("e30.e30.AB", .signature),
      ("e3\0a.e30.AAAA", .header), ("e30.e3\0a.AAAA", .payload), ("e30.e30.AA\0A", .signature),
      ("e3é.e30.AAAA", .header), ("e30.😀.AAAA", .payload), ("e30.e30.АААА", .signature),
    ])
  func encodings(token: String, segment: TokenSegment) {
    #expect(throws: SignedDataFailure.badEncoding(segment)) { try verifier.transaction(token) }
  }

  @Test("a header of no bytes that make JSON is malformed")
  func noJSON() {
    #expect(throws: SignedDataFailure.malformedHeader) {
      try verifier.transaction("abcd.abcd.abcd")
    }
  }

  @Test(
    "the length is measured in bytes, before anything is split",
    arguments: [
      (String(repeating: "a", count: 262_145), SignedDataFailure.tokenTooLarge(limit: 262_144)),
      (String(repeating: ".", count: 262_145), .tokenTooLarge(limit: 262_144)),
      (String(repeating: "é", count: 131_073), .tokenTooLarge(limit: 262_144)),
      (String(repeating: "a", count: 262_144), .malformedToken),
      (String(repeating: "é", count: 131_072), .malformedToken),
    ])
  func length(token: String, reason: SignedDataFailure) {
    #expect(throws: reason) { try verifier.transaction(token) }
  }

  @Test("a good token of exactly 262 144 bytes is accepted, one of 262 145 is not")
  func longestToken() throws {
    let short = try authority.sign(Sample.transaction(["filler": .string("")])).utf8.count
    // Base64 turns three bytes into four; the rest of the length is found by trying.
    let count = (262_144 - short) / 4 * 3
    let lengths = try (count - 6..<count + 6).map { count in
      let filler = JSONValue.string(String(repeating: "x", count: count))
      return try authority.sign(Sample.transaction(["filler": filler]))
    }
    let longest = try #require(lengths.last { $0.utf8.count <= 262_144 })
    #expect(try verifier.transaction(longest).token == longest)
    let tooLong = try #require(lengths.first { $0.utf8.count > 262_144 })
    #expect(throws: SignedDataFailure.tokenTooLarge(limit: 262_144)) {
      try verifier.transaction(tooLong)
    }
  }

  @Test("a text that differs from the signed one in its encoding only is refused")
  func encodingOfSignedTokens() throws {
    let parts = try TokenParts(authority.sign(Sample.transaction()))
    let attacks: [(String, TokenSegment)] = [
      (parts.text + "\n", .signature), (parts.text + "==", .signature), (" " + parts.text, .header),
      ("\u{FEFF}" + parts.text, .header),
      ("\(parts.header)=.\(parts.payload).\(parts.signature)", .header),
      ("\(parts.header).\(parts.payload)=.\(parts.signature)", .payload),
    ]
    for (token, segment) in attacks {
      #expect(throws: SignedDataFailure.badEncoding(segment)) { try verifier.transaction(token) }
    }
  }

  @Test("padding is refused even where the padded text is what was signed")
  func signedPadding() throws {
    let parts = try TokenParts(authority.sign(Sample.transaction()))
    let padding = String(repeating: "=", count: (4 - parts.payload.utf8.count % 4) % 4)
    let content = "\(parts.header).\(parts.payload)\(padding.isEmpty ? "====" : padding)"
    let token = "\(content).\(try authority.signature(of: content))"
    #expect(throws: SignedDataFailure.badEncoding(.payload)) { try verifier.transaction(token) }
  }
}
