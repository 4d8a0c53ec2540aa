import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("The certificates in a header")
struct CertificateArrayTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier
  let pinning: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier()
    pinning = try authority.pinningVerifier()
  }

  static let forms: [Attack] = [
    Attack("x5c missing", .missingCertificateChain) { $1["x5c"] = nil },
    Attack("x5c misspelt", .missingCertificateChain) {
      $1["x5cwrong"] = $1["x5c"]
      $1["x5c"] = nil
    },
    Attack("x5c in capitals", .missingCertificateChain) {
      $1["X5C"] = $1["x5c"]
      $1["x5c"] = nil
    },
    Attack("x5c null", .missingCertificateChain) { $1["x5c"] = .null },
    Attack("x5c a string", .missingCertificateChain) {
      $1["x5c"] = .string($0.encodedCertificates[0])
    },
    Attack("x5c an object", .missingCertificateChain) {
      $1["x5c"] = .object(["0": .string($0.encodedCertificates[0])])
    },
    Attack("x5c with a number", .missingCertificateChain) {
      $1["x5c"] = .array($0.encodedCertificates.prefix(2).map(JSONValue.string) + [.integer(3)])
    },
    Attack("x5c with null", .missingCertificateChain) {
      $1["x5c"] = .array([.null] + $0.encodedCertificates.suffix(2).map(JSONValue.string))
    },
    Attack("x5c with an array", .missingCertificateChain) {
      $1["x5c"] = .array([.array($0.encodedCertificates.map(JSONValue.string))])
    },
    Attack("x5c with a number only", .missingCertificateChain) {
      $1["x5c"] = .array([.integer(3)])
    },
    count(0), count(1), count(2),
    Attack("four certificates", .wrongChainLength(4)) {
      $1["x5c"] = .array(
        ($0.encodedCertificates + $0.encodedCertificates.suffix(1)).map(JSONValue.string))
    },
    Attack("a thousand certificates", .wrongChainLength(1_000)) {
      $1["x5c"] = .array([JSONValue](repeating: .string("AA=="), count: 1_000))
    },
  ]

  private static func count(_ count: Int) -> Attack {
    Attack("\(count) certificates", .wrongChainLength(count)) {
      $1["x5c"] = .array($0.encodedCertificates.prefix(count).map(JSONValue.string))
    }
  }

  @Test("x5c is an array of exactly three strings", arguments: forms)
  func form(attack: Attack) throws {
    let token = try attack.token(authority)
    #expect(throws: attack.reason) { try verifier.transaction(token) }
    #expect(throws: attack.reason) { try pinning.transaction(token) }
  }

  static let encodings: [Change<String>] = [
    Change("no base64") { _ in "!!!!" },
    Change("a line feed at the end") { $0 + "\n" },
    Change("line breaks after 64 characters") { broken($0, by: "\n") },
    Change("CRLF after 64 characters") { broken($0, by: "\r\n") },
    Change("a space in front") { " " + $0 },
    Change("base64url") { "-_" + $0.dropFirst(2) },
    Change("padding left out") { _ in "MAA" },
    Change("padding too long") { _ in "MA====" },
    Change("unused bits set") { _ in "MB==" },
    Change("PEM") { "-----BEGIN CERTIFICATE-----\n\($0)\n-----END CERTIFICATE-----\n" },
    Change("data URL") { "data:application/pkix-cert;base64," + $0 },
  ]

  @Test(
    "a certificate is in standard base64, the root too", arguments: encodings, 0..<3)
  func encoding(change: Change<String>, index: Int) throws {
    var texts = authority.encodedCertificates
    texts[index] = try change(texts[index])
    let token = try authority.token(x5c: texts)
    #expect(throws: SignedDataFailure.certificateEncoding(index)) {
      try verifier.transaction(token)
    }
    #expect(throws: SignedDataFailure.certificateEncoding(index)) {
      try pinning.transaction(token)
    }
  }

  private static func broken(_ text: String, by separator: String) -> String {
    var lines: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      lines.append(rest.prefix(64))
      rest = rest.dropFirst(64)
    }
    return lines.joined(separator: separator)
  }

  @Test("a certificate of 16 385 bytes is too large, one of 16 384 is looked at", arguments: 0..<3)
  func size(index: Int) throws {
    for (count, reason) in [
      (16_384, SignedDataFailure.certificateMalformed(index)),
      (16_385, .certificateTooLarge(index)), (16_386, .certificateTooLarge(index)),
      (16_387, .certificateTooLarge(index)), (60_000, .certificateTooLarge(index)),
    ] {
      var texts = authority.encodedCertificates
      texts[index] = Base64.encode([UInt8](repeating: 0x30, count: count), .standard)
      let token = try authority.token(x5c: texts)
      #expect(throws: reason) { try pinning.transaction(token) }
    }
  }

  static let malformations: [Change<[UInt8]>] = [
    Change("no bytes") { _ in [] },
    Change("no DER") { _ in Array("certificate".utf8) },
    Change("an empty sequence") { _ in [0x30, 0x00] },
    Change("two bytes behind it") { $0 + [0x05, 0x00] },
    Change("one zero byte behind it") { $0 + [0x00] },
    Change("two certificates") { $0 + $0 },
    Change("the last byte missing") { Array($0.dropLast()) },
    Change("the first half") { Array($0.prefix($0.count / 2)) },
    Change("the certificate inside a sequence") {
      [0x30, 0x82, UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0
    },
  ]

  @Test(
    "a certificate is exactly one X.509 certificate in DER",
    arguments: malformations, 0..<3)
  func malformation(change: Change<[UInt8]>, index: Int) throws {
    let positions: [TestAuthority.Position] = [.leaf, .intermediate, .root]
    var texts = authority.encodedCertificates
    texts[index] = Base64.encode(try change(authority.certificate(positions[index])), .standard)
    let token = try authority.token(x5c: texts)
    #expect(throws: SignedDataFailure.certificateMalformed(index)) {
      try pinning.transaction(token)
    }
    guard index < 2 else {
      // With an anchor in DER the third certificate takes no part (section 1.2).
      #expect(try verifier.transaction(token).token == token)
      return
    }
    #expect(throws: SignedDataFailure.certificateMalformed(index)) {
      try verifier.transaction(token)
    }
  }

  /// X.690 section 10.1; the signature of a certificate does not cover its outermost length.
  @Test("a certificate whose length takes more bytes than needed is no DER", arguments: 0..<3)
  func longLength(index: Int) throws {
    let positions: [TestAuthority.Position] = [.leaf, .intermediate, .root]
    let der = authority.certificate(positions[index])
    var texts = authority.encodedCertificates
    texts[index] = Base64.encode([0x30, 0x83, 0x00] + der.dropFirst(2), .standard)
    let token = try authority.token(x5c: texts)
    #expect(throws: SignedDataFailure.certificateMalformed(index)) {
      try pinning.transaction(token)
    }
  }

  @Test("the first faulty certificate is the one named")
  func firstFault() throws {
    let token = try authority.token(x5c: ["!", Base64.encode([0x30], .standard), "!"])
    #expect(throws: SignedDataFailure.certificateEncoding(0)) { try verifier.transaction(token) }
  }
}
