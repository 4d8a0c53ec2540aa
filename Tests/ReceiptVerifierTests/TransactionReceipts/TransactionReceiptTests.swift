import StorekeeperFixtures
import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite(
  "Transaction receipts of iOS 6 that Apple signed",
  .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct TransactionReceiptFixtureTests {
  private func receipt(_ name: String) throws -> (TransactionReceipt, JSONValue) {
    let path = "app-receipts/transaction/" + name
    let expected = try JSONValue(parsing: Array(try Fixtures.data(path + ".expected.json")))
    let input = try ReceiptInput(bytes: Array(try Fixtures.data(path + ".b64")))
    #expect(input.kind == .transactionReceipt)
    return (try TransactionReceipt(input), try #require(expected["purchase_info"]))
  }

  @Test("a receipt of version 2 is decoded, and its signature cannot be checked offline")
  func version2() throws {
    let (receipt, expected) = try receipt("mindmob-sandbox-v2")
    let transaction = receipt.transaction
    func text(_ name: String) -> String? { expected[name]?.text }
    #expect(transaction.transactionID == text("transaction-id"))
    #expect(transaction.originalTransactionID == text("original-transaction-id"))
    #expect(transaction.productID == text("product-id"))
    #expect(transaction.bundleID == text("bid"))
    #expect(transaction.bundleVersion == text("bvrs"))
    #expect(transaction.itemID == text("item-id"))
    #expect(transaction.quantity.map(String.init) == text("quantity"))
    let milliseconds = try #require(text("purchase-date-ms").flatMap(Double.init))
    #expect(transaction.purchaseDate == Date(timeIntervalSince1970: milliseconds / 1000))
    #expect(transaction.originalPurchaseDate == transaction.purchaseDate)
    #expect(receipt.claimedEnvironment == .sandbox)
    #expect(receipt.signatureVersion == 2)
    #expect(throws: ReceiptFailure.unsupportedSignatureVersion(2)) {
      try TransactionReceiptVerifier(bundleIDs: nil, issuers: []).verify(receipt)
    }
  }

  @Test("a receipt without a signature proves nothing")
  func unsigned() throws {
    let (receipt, expected) = try receipt("apple-library-legacy-transaction")
    #expect(receipt.transaction.transactionID == expected["transaction-id"]?.text)
    #expect(receipt.claimedEnvironment == nil)
    #expect(throws: ReceiptFailure.signatureMissing) {
      try TransactionReceiptVerifier(bundleIDs: nil, issuers: []).verify(receipt)
    }
  }
}

@Suite("Transaction receipts of iOS 6, version 3")
struct TransactionReceiptTests {
  /// Signs as Apple did: over the version and the inner list.
  private struct Signer {
    var leaf: Certificate
    var key: PrivateKey
    var issuers: [[UInt8]]
    var anchor: TrustAnchor

    init(_ change: (inout TestAuthority.Shape) -> Void = { _ in }) throws {
      let authority = try ReceiptScene.authority.withNewLeaf {
        // The mark of Apple's receipts of version 3 (contract, section 6.7).
        $0.leaf.markers = ["1.2.840.113635.100.6.11.1"]
        change(&$0)
      }
      leaf = authority.leaf
      key = authority.leafKey
      issuers = [authority.certificate(.intermediate), authority.certificate(.root)]
      anchor = try authority.fingerprintAnchor
    }
  }

  private let info = """
    {
    \t"transaction-id" = "1002";
    \t"original-transaction-id" = "1001";
    \t"bid" = "com.example.reader";
    \t"product-id" = "reader.monthly";
    \t"purchase-date-ms" = "1600000000000";
    }
    """

  private func receipt(
    by signer: Signer, version: UInt8 = 3, info: String? = nil, signedInfo: String? = nil,
    environment: String = "Production"
  ) throws -> ReceiptInput {
    let info = info ?? self.info
    let signed = [version] + Array((signedInfo ?? info).utf8)
    let signature = try signer.key.signature(of: signed, digest: .sha1)
    let count = UInt32(signer.leaf.der.count)
    let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    let blob = [version] + signature + length + signer.leaf.der
    return try list([
      ("signature", Base64.encode(blob, .standard)),
      ("purchase-info", Base64.encode(info.utf8, .standard)), ("environment", environment),
      ("pod", "100"), ("signing-status", "0"),
    ])
  }

  private func list(_ texts: [(String, String)]) throws -> ReceiptInput {
    let lines = texts.map { "\t\"\($0.0)\" = \"\($0.1)\";\n" }.joined()
    return try ReceiptInput(text: Base64.encode("{\n\(lines)}".utf8, .standard))
  }

  private func verify(
    _ input: ReceiptInput, _ signer: Signer, bundleIDs: Set<String>? = nil,
    now: Date = ReceiptScene.now
  ) throws -> VerifiedTransactionReceipt {
    try TransactionReceiptVerifier(
      bundleIDs: bundleIDs, issuers: signer.issuers, trustAnchors: [signer.anchor], now: { now }
    ).verify(try TransactionReceipt(input))
  }

  @Test("verify under the issuers that the host supplies")
  func verified() throws {
    let signer = try Signer()
    let verified = try verify(try receipt(by: signer), signer, bundleIDs: ["com.example.reader"])
    #expect(verified.transaction.transactionID == "1002")
    #expect(verified.transactionID == "1001")
  }

  @Test("are refused with the reason")
  func refused() throws {
    let signer = try Signer()
    let good = try receipt(by: signer)
    #expect(throws: ReceiptFailure.bundleMismatch(found: "com.example.reader")) {
      try verify(good, signer, bundleIDs: ["com.example"])
    }
    #expect(throws: ReceiptFailure.signatureInvalid) {
      try verify(try receipt(by: signer, signedInfo: "{}"), signer)
    }
    var withoutIssuers = signer
    withoutIssuers.issuers = []
    #expect(throws: ReceiptFailure.untrustedRoot) { try verify(good, withoutIssuers) }
    // The mark of the leaves of version 2, and none.
    for markers in [["1.2.840.113635.100.6.5.1"], []] {
      let unmarked = try Signer { $0.leaf.markers = markers }
      #expect(throws: ReceiptFailure.missingLeafMarker) {
        try verify(try receipt(by: unmarked), unmarked)
      }
    }
    let ended = try Signer { $0.leaf.notAfter = Date(timeIntervalSince1970: 1_599_999_999) }
    #expect(throws: ReceiptFailure.certificateExpired(0)) {
      try verify(try receipt(by: ended), ended)
    }
    #expect(throws: ReceiptFailure.creationDateInFuture) {
      try verify(good, signer, now: Date(timeIntervalSince1970: 1_599_999_699))
    }
    #expect(throws: ReceiptFailure.noCreationDate) {
      try verify(try receipt(by: signer, info: "{ bid = a; }"), signer)
    }
  }

  @Test("what is not signed is not believed")
  func environment() throws {
    let signer = try Signer()
    let production = try verify(try receipt(by: signer), signer)
    let edited = try verify(try receipt(by: signer, environment: "Sandbox"), signer)
    #expect(production == edited)
  }

  @Test("signatures that are not a version, a signature and a certificate are malformed")
  func malformedSignature() throws {
    let info = Base64.encode(self.info.utf8, .standard)
    let short = [UInt8](repeating: 3, count: 200)
    let wrongLength = [3] + [UInt8](repeating: 0, count: 256) + [0, 0, 0, 9] + [1, 2]
    for blob in [short, wrongLength] {
      let input = try list([
        ("signature", Base64.encode(blob, .standard)), ("purchase-info", info),
      ])
      #expect(throws: ReceiptFailure.signatureMalformed) { try TransactionReceipt(input) }
    }
    let notBase64 = try list([("signature", "?"), ("purchase-info", info)])
    #expect(throws: ReceiptFailure.signatureMalformed) { try TransactionReceipt(notBase64) }
    let unknown = try list([
      ("signature", Base64.encode([9, 1, 2], .standard)), ("purchase-info", info),
    ])
    #expect(try TransactionReceipt(unknown).signatureVersion == 9)
  }

  @Test(
    "texts that are no such list are refused",
    arguments: [
      "{\n", "{\n}", "{\n\"purchase-info\" = \"", "{\n\"purchase-info\" = \"e30=\" }",
      "{\n\"purchase-info\" = \"!\";}", "{\n\"purchase-info\" = \"e30=\";} x",
      "{\n\"purchase-info\" = \"e30=\";\"purchase-info\" = \"e30=\";}",
      "{\n\"purchase-info\" = { a = b; };}", "{\n\"purchase-info\" = \"e30\\=\";}", "{\n= a;}",
    ])
  func malformedList(text: String) throws {
    let input = try ReceiptInput(text: Base64.encode(text.utf8, .standard))
    try #require(input.kind == .transactionReceipt)
    #expect(throws: ReceiptFailure.malformedPropertyList) { try TransactionReceipt(input) }
  }
}
