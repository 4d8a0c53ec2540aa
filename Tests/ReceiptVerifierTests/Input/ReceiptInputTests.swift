import StorekeeperFixtures
import Foundation
import StorekeeperCrypto
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("Recognition of input")
struct ReceiptInputTests {
  @Test(
    "texts are told apart",
    arguments: [
      ("", .empty), ("  \n", .empty),
      // The first characters of base64.
      ("MIIAAAAA", .appReceipt), ("MIJAAAAA", .appReceipt), ("MIKAAAAA", .appReceipt),
      ("MILAAAAA", .appReceipt), ("MIMAAAAA", .appReceipt), ("MIAGAAAA", .xcodeReceipt),
      ("ewoiYSI9", .transactionReceipt), ("eyJhbGciOiJFUzI1NiJ9.e30.AA", .signedData),
      ("TUlJQUFB", .doubleBase64), ("ZXdvaVlT", .doubleBase64), ("ZXlKaGJH", .doubleBase64),
      ("MIIA AAAA", .formMangledBase64), ("MIIA%2BAAA", .formMangledBase64),
      ("MIIAAA%3D%3D", .formMangledBase64),
      ("foobar", .unknown), ("foobarba", .unknown), ("!", .unknown), ("Zm9v", .unknown),
      ("{ \"purchase-info\" = \"e30=\"; }", .transactionReceipt),
    ] as [(String, ReceiptKind)])
  func kinds(text: String, kind: ReceiptKind) throws {
    #expect(try ReceiptInput(text: text).kind == kind)
    #expect(ReceiptKind.isSignedData(text) == (kind == .signedData))
  }

  @Test(
    "bytes are told apart",
    arguments: [
      ([0x30, 0x82, 1, 0], .appReceipt), ([0x30, 0x83, 1, 0, 0], .appReceipt),
      ([0x30, 0x80, 6, 9], .xcodeReceipt), ([0x7B, 0x0A], .transactionReceipt),
      ([], .empty), ([0x30], .unknown), ([0xFF, 0xD8], .unknown), ([0], .unknown),
    ] as [([UInt8], ReceiptKind)])
  func binaryKinds(bytes: [UInt8], kind: ReceiptKind) throws {
    #expect(try ReceiptInput(bytes: bytes).kind == kind)
  }

  @Test("line breaks and white space around a receipt do no harm")
  func whiteSpace() throws {
    let receipt = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    let text = Base64.encode(receipt, .standard)
    let verifier = try ReceiptScene.verifier()
    let expected = try verifier.verify(der: receipt)
    var lines = ""
    for (index, character) in text.enumerated() {
      if index % 64 == 0 { lines += "\r\n" }
      lines.append(character)
    }
    #expect(try verifier.verify(base64: lines + "\n\n") == expected)
    #expect(try verifier.verify(base64: "  \t" + text + " ") == expected)
    // A file with the text is binary input as well.
    #expect(try verifier.verify(der: Array(lines.utf8)) == expected)
  }

  @Test("base64 is read strictly")
  func encoding() throws {
    let verifier = try ReceiptScene.verifier()
    let receipt = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    let text = Base64.encode(receipt, .standard)
    for wrong in [text + "=", String(text.dropLast()), text.dropFirst(4) + "", "MII\u{E9}AAAA"] {
      let failure = #expect(throws: ReceiptFailure.self) { try verifier.verify(base64: wrong) }
      #expect(failure == .badEncoding || failure == .inputKind(.unknown))
    }
    let url = text.replacing("+", with: "-").replacing("/", with: "_")
    #expect(throws: ReceiptFailure.badEncoding) { try verifier.verify(base64: url) }
    let mangled = text.replacing("+", with: " ")
    #expect(throws: ReceiptFailure.inputKind(.formMangledBase64)) {
      try verifier.verify(base64: mangled)
    }
    #expect(throws: ReceiptFailure.inputKind(.doubleBase64)) {
      try verifier.verify(base64: Base64.encode(text.utf8, .standard))
    }
  }

  @Test("whatever is no app receipt is refused with a hint, and never quoted")
  func hints() throws {
    let verifier = try ReceiptScene.verifier()
    let inputs: [(String, ReceiptKind, String)] = [
      ("eyJhbGciOiJFUzI1NiJ9.e30.AA", .signedData, "JWS"),
      ("ewoic2lnbmF0dXJlIj1hO30=", .transactionReceipt, "iOS 6"),
      ("MIAGCSqGSIb3DQEHAqCA", .xcodeReceipt, "Xcode"),
      ("TUlJVDZ3WUpLb1pJaHZj", .doubleBase64, "base64 of base64"),
      ("MIIT6wYJ KoZIhvcN", .formMangledBase64, "form"),
      ("", .empty, "nothing"), ("secret42", .unknown, "no receipt"),
    ]
    for (text, kind, hint) in inputs {
      let failure = #expect(throws: ReceiptFailure.inputKind(kind)) {
        try verifier.verify(base64: text)
      }
      let message = String(describing: failure)
      #expect(message.contains(hint), "\(message)")
      #expect(text.isEmpty || !message.contains(text))
    }
  }

  @Test(
    "genuine receipts of all sizes are recognised as text and as bytes",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"),
    arguments: Fixtures.paths(in: "app-receipts", withExtension: "der"))
  func genuine(path: String) throws {
    let bytes = Array(try Fixtures.data(path))
    #expect(try ReceiptInput(bytes: bytes).kind == .appReceipt)
    #expect(try ReceiptInput(text: Base64.encode(bytes, .standard)).kind == .appReceipt)
  }

  @Test("neither an input nor a verified receipt shows its bytes")
  func redaction() throws {
    let receipt = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    let text = Base64.encode(receipt, .standard)
    let input = try ReceiptInput(text: text)
    let verified = try ReceiptScene.verifier().verify(input)
    for shown in [
      "\(input)", String(reflecting: input), "\(verified)", String(reflecting: verified),
    ] {
      #expect(!shown.contains(text.prefix(16)) && !shown.contains("48, 130"), "\(shown)")
      #expect(!shown.contains("1001"))
    }
    var dumped = ""
    dump(verified, to: &dumped)
    dump(input, to: &dumped)
    #expect(!dumped.contains("1001") && !dumped.contains("48"), "\(dumped)")
  }
}
