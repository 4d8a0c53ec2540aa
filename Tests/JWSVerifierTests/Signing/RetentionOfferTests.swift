import Foundation
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("Promotional offers as answers to realtime requests")
struct RetentionOfferTests {
  private let sample: SigningSample
  private let message = UUID(uuidString: "748BC0C8-F778-4616-8DFF-7F4A8F4DD411") ?? UUID()

  init() throws { sample = try SigningSample() }

  private func request() throws -> Verified<RealtimeRequest> {
    let authority = try TestAuthority()
    let verifier = try SignedDataVerifier(
      apps: [Sample.app], environments: [.sandbox], trustAnchors: [authority.trustAnchor],
      now: { Sample.now })
    return try verifier.realtimeRequest(try authority.sign(Sample.realtimeRequest()))
  }

  @Test(
    "version 2 is signed for the customer and, unless another is named, the product",
    arguments: [nil, "reader.year"])
  func version2(product: String?) throws {
    let signer = try ClientRequestSigner(
      key: sample.key, issuerID: SigningSample.issuerID, bundleID: SigningSample.bundleID)
    let response = try signer.retentionOffer(
      "half-price", of: product, messageIdentifier: message, for: try request(), at: Sample.now)
    guard case .promotionalOffer(let offer) = response.answer else {
      Issue.record("another answer")
      return
    }
    #expect(offer.messageIdentifier == message)
    #expect(offer.promotionalOfferSignatureV1 == nil)
    let token = try SignedToken(
      try #require(offer.promotionalOfferSignatureV2), signedBy: try sample.publicKey)
    #expect(token.claims["aud"] == .string("promotional-offer"))
    #expect(token.claims["productId"] == .string(product ?? "reader.month"))
    #expect(token.claims["offerIdentifier"] == .string("half-price"))
    #expect(token.claims["transactionId"] == .string("2000000000000001"))
    #expect(token.claims["iat"] == .integer(1_761_962_975))
  }

  @Test("version 1 has the parts that are signed")
  func version1() throws {
    let signer = try PromotionalOfferSigner(key: sample.key, bundleID: SigningSample.bundleID)
    let nonce = try #require(UUID(uuidString: SigningSample.nonce))
    let response = try signer.retentionOffer(
      PromotionalOfferSigner.Offer(
        productID: "reader.month", offerIdentifier: "half-price", appAccountToken: message,
        nonce: nonce, timestamp: Date(timeIntervalSince1970: 1_761_962_975.123)),
      messageIdentifier: message)
    guard case .promotionalOffer(let answer) = response.answer else {
      Issue.record("another answer")
      return
    }
    let offer = try #require(answer.promotionalOfferSignatureV1)
    #expect(answer.messageIdentifier == message)
    #expect(answer.promotionalOfferSignatureV2 == nil)
    #expect(offer.productID == "reader.month")
    #expect(offer.keyID == "2X9R4HXF34")
    #expect(offer.offerIdentifier == "half-price")
    #expect(offer.nonce == nonce)
    #expect(offer.appAccountToken == message)
    #expect(offer.timestamp == 1_761_962_975_123)
    let text =
      "com.example.reader\u{2063}2X9R4HXF34\u{2063}reader.month\u{2063}half-price\u{2063}"
      + "748bc0c8-f778-4616-8dff-7f4a8f4dd411\u{2063}4b8f5b1c-0a51-4c9e-9d4f-8a6c2d1e0f3b\u{2063}"
      + "1761962975123"
    let der = try #require(Base64.decode(Array(offer.encodedSignature.utf8)[...], .standard))
    #expect(
      try sample.publicKey.isValid(
        try #require(ECDSASignature(der: der)),
        forDigest: try SHA256.digest(of: Array(text.utf8))))
  }

  @Test("version 1 refuses a time that is no number of milliseconds", arguments: [1e300, .nan])
  func unusableTime(seconds: Double) throws {
    let signer = try PromotionalOfferSigner(key: sample.key, bundleID: SigningSample.bundleID)
    #expect(throws: SigningFailure.signing) {
      try signer.retentionOffer(
        PromotionalOfferSigner.Offer(
          productID: "a", offerIdentifier: "b", appAccountToken: nil, nonce: message,
          timestamp: Date(timeIntervalSince1970: seconds)),
        messageIdentifier: message)
    }
  }
}
