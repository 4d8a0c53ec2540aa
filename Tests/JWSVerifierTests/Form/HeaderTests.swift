import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("The header of a token")
struct HeaderTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier()
  }

  @Test(
    "a header that is no JSON object is malformed",
    arguments: [
      "[]", "[\"ES256\"]", "\"ES256\"", "null", "true", "1", "{", "{}}", "{} {}", "{\"alg\":}",
      "{\"alg\":\"ES256\",}", "{'alg':'ES256'}", "{alg:\"ES256\"}", "// {}", "\u{FEFF}{}", " ",
      "{\"alg\":\"ES256\",\"x\":01}", "{\"alg\":\"ES256\"\0}",
    ])
  func noObject(header: String) throws {
    let token = try authority.sign(
      Sample.transaction().serialized, headerBytes: Array(header.utf8))
    #expect(throws: SignedDataFailure.malformedHeader) { try verifier.transaction(token) }
  }

  @Test(
    "a header that is not UTF-8 is malformed",
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) throws {
    let header = Array("{\"alg\":\"ES256\",\"kid\":\"".utf8) + bytes + Array("\"}".utf8)
    let token = try authority.sign(Sample.transaction().serialized, headerBytes: header)
    #expect(throws: SignedDataFailure.malformedHeader) { try verifier.transaction(token) }
  }

  @Test("a header in UTF-16 is malformed")
  func utf16() throws {
    let header = "{\"alg\":\"ES256\"}".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let token = try authority.sign(Sample.transaction().serialized, headerBytes: header)
    #expect(throws: SignedDataFailure.malformedHeader) { try verifier.transaction(token) }
  }

  @Test(
    "a header nested more deeply than 64 levels is malformed", arguments: [64, 1_000, 90_000],
    [("[", "]"), ("{\"a\":", "}")])
  func deepNesting(levels: Int, brackets: (String, String)) throws {
    let levels = brackets.0 == "[" ? levels : min(levels, 30_000)
    let bomb =
      String(repeating: brackets.0, count: levels) + "1"
      + String(repeating: brackets.1, count: levels)
    let token = try authority.sign(
      Sample.transaction().serialized, headerBytes: Array("{\"kid\":\(bomb)}".utf8))
    #expect(throws: SignedDataFailure.malformedHeader) { try verifier.transaction(token) }
  }

  static let algorithms: [(JSONValue?, String?)] = [
    (.string("none"), "none"), (.string("None"), "None"), (.string(""), ""),
    (.string("HS256"), "HS256"), (.string("HS384"), "HS384"), (.string("ES384"), "ES384"),
    (.string("ES512"), "ES512"), (.string("ES256K"), "ES256K"), (.string("RS256"), "RS256"),
    (.string("PS256"), "PS256"), (.string("EdDSA"), "EdDSA"), (.string("es256"), "es256"),
    (.string("ES256 "), "ES256 "), (.string("ES256\0"), "ES256\0"), (.string("ＥＳ256"), "ＥＳ256"),
    (nil, nil), (.null, nil), (.integer(256), nil), (.boolean(true), nil),
    (.array([.string("ES256")]), nil), (.object(["ES256": .string("ES256")]), nil),
  ]

  @Test("every algorithm but ES256 is refused by its name", arguments: algorithms)
  func algorithm(value: JSONValue?, name: String?) throws {
    var header = authority.header
    header["alg"] = value
    let token = try authority.sign(Sample.transaction().serialized, header: header)
    #expect(throws: SignedDataFailure.unsupportedAlgorithm(name)) {
      try verifier.transaction(token)
    }
  }

  /// RFC 8725 section 2.1: the public key taken for the secret of an HMAC.
  @Test(
    "HS256 keyed with the leaf's public key is refused", arguments: ["DER", "PEM", "certificate"])
  func algorithmConfusion(form: String) throws {
    let publicKey = try #require(try authority.leaf.publicKey?.subjectPublicKeyInfo)
    let pem =
      "-----BEGIN PUBLIC KEY-----\n\(Base64.encode(publicKey, .standard))\n"
      + "-----END PUBLIC KEY-----\n"
    let secret =
      switch form {
      case "DER": publicKey
      case "PEM": Array(pem.utf8)
      default: authority.leaf.der
      }
    var header = authority.header
    header["alg"] = .string("HS256")
    let content =
      Base64.encode(JSONValue.object(header).serialized, .url) + "."
      + Base64.encode(Sample.transaction().serialized, .url)
    let code = try HMAC.sha256(Array(content.utf8), key: secret)
    #expect(throws: SignedDataFailure.unsupportedAlgorithm("HS256")) {
      try verifier.transaction(content + "." + Base64.encode(code, .url))
    }
  }

  static let criticalHeaders: [JSONValue] = [
    .array([.string("exp")]), .array([.string("b64")]), .array([]), .null, .string("b64"),
    .boolean(false), .object([:]), .integer(0),
  ]

  @Test("a header with crit is refused, whatever its value", arguments: criticalHeaders)
  func critical(value: JSONValue) throws {
    var header = authority.header
    header["crit"] = value
    header["b64"] = .boolean(true)
    let token = try authority.sign(Sample.transaction().serialized, header: header)
    #expect(throws: SignedDataFailure.criticalHeader) { try verifier.transaction(token) }
  }

  @Test("crit is found when its name is escaped, and is judged before the algorithm")
  func escapedCritical() throws {
    for header in [#"{"alg":"ES256","cr\u0069t":null}"#, #"{"alg":"none","crit":["exp"]}"#] {
      let token = try authority.sign(
        Sample.transaction().serialized, headerBytes: Array(header.utf8))
      #expect(throws: SignedDataFailure.criticalHeader) { try verifier.transaction(token) }
    }
  }

  static let toleratedMembers = [
    #""kid":"2022-04-30","typ":"JWT""#, #""typ":"JOSE+JSON""#, #""typ":7,"kid":null"#,
    #""unknown":{"a":[1,2,{"b":null}]}"#, #""kid":"one","kid":"two""#,
    #""jku":"https://example.com/keys.json""#, #""x5u":"https://example.com/chain.pem""#,
    #""x5t":"AAAA","x5t#S256":"AAAA""#, #""jwk":{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
    #""b64":false"#, #""cty":"JWT","zip":"DEF""#, #""Alg":"none","ALG":"none","X5C":[]"#,
    // Of duplicate members the first counts, for every reader alike.
    #""alg":"ES256","alg":"none""#,
  ]

  @Test("members that nobody looks at are tolerated", arguments: toleratedMembers)
  func tolerated(members: String) throws {
    let rest = String(
      decoding: JSONValue.object(authority.header).serialized.dropFirst(), as: UTF8.self)
    let token = try authority.sign(
      Sample.transaction().serialized, headerBytes: Array("{\(members),\(rest)".utf8))
    #expect(try verifier.transaction(token).payload.transactionID == "2000000000000002")
  }

  @Test("of two algorithms the first counts")
  func duplicateAlgorithm() throws {
    let rest = String(
      decoding: JSONValue.object(authority.header).serialized.dropFirst(), as: UTF8.self)
    let token = try authority.sign(
      Sample.transaction().serialized, headerBytes: Array("{\"alg\":\"none\",\(rest)".utf8))
    #expect(throws: SignedDataFailure.unsupportedAlgorithm("none")) {
      try verifier.transaction(token)
    }
  }

  @Test("a key that the header brings along is not used, in whatever form it is offered")
  func embeddedKey() throws {
    let stranger = try PrivateKey(generating: .p256)
    let point = try stranger.publicKey.subjectPublicKeyInfo.suffix(64)
    let jwk: JSONValue = .object([
      "kty": .string("EC"), "crv": .string("P-256"),
      "x": .string(Base64.encode(point.prefix(32), .url)),
      "y": .string(Base64.encode(point.suffix(32), .url)),
    ])
    for (name, value) in [
      ("jwk", jwk), ("jku", .string("https://example.com/keys.json")),
      ("x5u", .string("https://example.com/chain.pem")),
    ] {
      var header = authority.header
      header[name] = value
      let signed = try TokenParts(authority.sign(Sample.transaction().serialized, header: header))
      let der = try stranger.signature(of: Array(signed.content.utf8))
      let signature = try #require(ECDSASignature(der: der))
      #expect(throws: SignedDataFailure.signatureInvalid) {
        try verifier.transaction(signed.replacing(signature: signature.rawBytes))
      }
    }
  }

  @Test("a header without any member names no algorithm")
  func emptyHeader() throws {
    let token = try authority.sign(Sample.transaction().serialized, header: [:])
    #expect(throws: SignedDataFailure.unsupportedAlgorithm(nil)) {
      try verifier.transaction(token)
    }
  }

  @Test("the algorithm that a failure quotes is short, however long its characters are")
  func quotedAlgorithm() throws {
    // One letter with fifty thousand accents is one character.
    let name = "e" + String(repeating: "\u{301}", count: 50_000)
    for name in [name, String(repeating: "x", count: 100_000)] {
      var header = authority.header
      header["alg"] = .string(name)
      let token = try authority.sign(Sample.transaction().serialized, header: header)
      let failure = #expect(throws: SignedDataFailure.self) { try verifier.transaction(token) }
      #expect(failure?.name == "unsupportedAlgorithm")
      #expect((failure?.description.utf8.count ?? 0) < 256)
    }
  }

  @Test("an algorithm cannot add a line to a log")
  func lineBreakInAlgorithm() throws {
    var header = authority.header
    header["alg"] = .string("ES256\nlogin accepted")
    let token = try authority.sign(Sample.transaction().serialized, header: header)
    let failure = #expect(throws: SignedDataFailure.unsupportedAlgorithm("ES256\nlogin accepted")) {
      try verifier.transaction(token)
    }
    #expect(failure?.description.contains("\n") == false)
  }
}
