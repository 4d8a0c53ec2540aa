import Foundation
import JWSVerifier
import StorekeeperCrypto
import Testing

@Suite("Promotional offers, version 1")
struct PromotionalOfferSignerTests {
  let sample: SigningSample
  let signer: PromotionalOfferSigner

  init() throws {
    sample = try SigningSample()
    signer = try PromotionalOfferSigner(key: sample.key, bundleID: SigningSample.bundleID)
  }

  private func offer(token: String?, at date: Date = Sample.now) throws
    -> PromotionalOfferSigner.Offer
  {
    PromotionalOfferSigner.Offer(
      productID: "reader.month", offerIdentifier: "half-price",
      appAccountToken: try token.map { try #require(UUID(uuidString: $0)) },
      nonce: try #require(UUID(uuidString: SigningSample.nonce.uppercased())), timestamp: date)
  }

  /// Returns whether a signature is valid for a text, independently of the signer.
  private func isSignature(_ signature: String, of text: String) throws -> Bool {
    let der = try #require(Base64.decode(Array(signature.utf8)[...], .standard))
    let parsed = try #require(ECDSASignature(der: der))
    return try sample.publicKey.isValid(
      parsed, forDigest: try SHA256.digest(of: Array(text.utf8)))
  }

  @Test("the signature is over the seven parts joined by U+2063, with UUIDs in lower case")
  func signature() throws {
    let offer = try offer(token: "7E3FB20B-4CDB-47CC-936D-99D65F608138")
    let signature = try signer.signature(for: offer)
    let text =
      "com.example.reader\u{2063}2X9R4HXF34\u{2063}reader.month\u{2063}half-price\u{2063}"
      + "7e3fb20b-4cdb-47cc-936d-99d65f608138\u{2063}4b8f5b1c-0a51-4c9e-9d4f-8a6c2d1e0f3b\u{2063}"
      + "1761962975000"
    #expect(try isSignature(signature, of: text))
    for other in [
      text.uppercased(), text.replacingOccurrences(of: "\u{2063}", with: ""),
      text.replacingOccurrences(of: "\u{2063}", with: "\u{2064}"), text + "\u{2063}", text + " ",
      text.replacingOccurrences(of: "half-price", with: "full-price"),
    ] {
      #expect(try !isSignature(signature, of: other))
    }
  }

  @Test("an offer without account leaves its place empty")
  func withoutAccount() throws {
    let signature = try signer.signature(for: try offer(token: nil))
    let text =
      "com.example.reader\u{2063}2X9R4HXF34\u{2063}reader.month\u{2063}half-price\u{2063}\u{2063}"
      + "4b8f5b1c-0a51-4c9e-9d4f-8a6c2d1e0f3b\u{2063}1761962975000"
    #expect(try isSignature(signature, of: text))
  }

  @Test(
    "the time is in whole milliseconds",
    arguments: [
      (1_761_962_975.123, "1761962975123"), (1_761_962_975.001, "1761962975001"),
      (0, "0"), (1_700_000_000.999, "1700000000999"),
    ])
  func milliseconds(moment: Double, text: String) throws {
    let signature = try signer.signature(
      for: try offer(token: nil, at: Date(timeIntervalSince1970: moment)))
    let content =
      "com.example.reader\u{2063}2X9R4HXF34\u{2063}reader.month\u{2063}half-price\u{2063}\u{2063}"
      + "4b8f5b1c-0a51-4c9e-9d4f-8a6c2d1e0f3b\u{2063}\(text)"
    #expect(try isSignature(signature, of: content))
  }

  @Test("the signature is standard base64 of DER")
  func form() throws {
    for _ in 0..<20 {
      let signature = try signer.signature(for: try offer(token: nil))
      let der = try #require(Base64.decode(Array(signature.utf8)[...], .standard))
      #expect(ECDSASignature(der: der)?.der == der)
    }
  }
}
