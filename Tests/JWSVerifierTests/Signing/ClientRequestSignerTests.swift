import Foundation
import JWSVerifier
import StorekeeperLocks
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import Testing

/// Contract, section 4.6.
@Suite("Requests that a client shows Apple")
struct ClientRequestSignerTests {
  let sample: SigningSample
  let signer: ClientRequestSigner

  init() throws {
    sample = try SigningSample()
    let nonce = try #require(UUID(uuidString: SigningSample.nonce.uppercased()))
    signer = try ClientRequestSigner(
      key: sample.key, issuerID: SigningSample.issuerID, bundleID: SigningSample.bundleID,
      makeNonce: { nonce })
  }

  private static let header: [String: JSONValue] = [
    "alg": .string("ES256"), "typ": .string("JWT"), "kid": .string("2X9R4HXF34"),
  ]

  /// The claims that all three kinds have; there is no `exp`.
  private func claims(
    for audience: String, _ others: [String: JSONValue]
  ) -> [String: JSONValue] {
    [
      "iss": .string(SigningSample.issuerID), "bid": .string("com.example.reader"),
      "iat": .integer(1_761_962_975), "nonce": .string(SigningSample.nonce),
      "aud": .string(audience),
    ].merging(others) { $1 }
  }

  private let moment = Sample.now.addingTimeInterval(0.75)

  @Test("a promotional offer names product, offer and, if there is one, transaction")
  func promotionalOffer() throws {
    let bare = try SignedToken(
      signer.promotionalOffer(
        productID: "reader.month", offerIdentifier: "half-price", at: moment),
      signedBy: try sample.publicKey)
    #expect(bare.header == Self.header)
    let offer: [String: JSONValue] = [
      "productId": .string("reader.month"), "offerIdentifier": .string("half-price"),
    ]
    #expect(bare.claims == claims(for: "promotional-offer", offer))
    let bound = try SignedToken(
      signer.promotionalOffer(
        productID: "reader.month", offerIdentifier: "half-price",
        transactionID: "2000000000000001", at: moment),
      signedBy: try sample.publicKey)
    #expect(
      bound.claims
        == claims(
          for: "promotional-offer",
          offer.merging(["transactionId": .string("2000000000000001")]) { $1 }))
  }

  @Test("eligibility for an introductory offer is a Boolean", arguments: [true, false])
  func introductoryOffer(isAllowed: Bool) throws {
    let token = try SignedToken(
      signer.introductoryOfferEligibility(
        productID: "reader.month", allowIntroductoryOffer: isAllowed,
        transactionID: "2000000000000001", at: moment),
      signedBy: try sample.publicKey)
    #expect(token.header == Self.header)
    #expect(
      token.claims
        == claims(
          for: "introductory-offer-eligibility",
          [
            "productId": .string("reader.month"), "allowIntroductoryOffer": .boolean(isAllowed),
            "transactionId": .string("2000000000000001"),
          ]))
  }

  @Test("an Advanced Commerce request is the base64 of its JSON, and decodes to itself")
  func advancedCommerce() throws {
    var request = AdvancedCommerceSubscriptionReactivateInAppRequest(
      requestInfo: AdvancedCommerceRequestInfo(
        requestReferenceID: try #require(
          UUID(uuidString: "F55DF048-4CD8-4261-B404-B6F813FF70C0"))),
      transactionID: "2000000000000001")
    request.items = [AdvancedCommerceItemReference(sku: "chapter-ü?>~")]
    request.storefront = "USA"
    let token = try SignedToken(
      signer.advancedCommerce(request, at: moment), signedBy: try sample.publicKey)
    #expect(token.header == Self.header)
    guard case .string(let text) = token.claims["request"] else {
      Issue.record("no request among the claims")
      return
    }
    #expect(token.claims == claims(for: "advanced-commerce-api", ["request": .string(text)]))
    let decoded = try JSONValue(
      parsing: try #require(Base64.decode(Array(text.utf8)[...], .standard)))
    #expect(
      decoded
        == .object([
          "operation": .string("REACTIVATE_SUBSCRIPTION"), "version": .string("1"),
          "requestInfo": .object([
            "requestReferenceId": .string("f55df048-4cd8-4261-b404-b6f813ff70c0")
          ]),
          "transactionId": .string("2000000000000001"),
          "items": .array([.object(["SKU": .string("chapter-ü?>~")])]),
          "storefront": .string("USA"),
        ]))
    #expect(try AdvancedCommerceSubscriptionReactivateInAppRequest(json: decoded) == request)
  }

  @Test("every signature asks for a nonce of its own")
  func nonces() throws {
    let counter = NonceCounter()
    let signer = try ClientRequestSigner(
      key: sample.key, issuerID: SigningSample.issuerID, bundleID: SigningSample.bundleID,
      makeNonce: { counter.next() })
    for number in 1...3 {
      let token = try SignedToken(
        signer.promotionalOffer(productID: "a", offerIdentifier: "b", at: moment),
        signedBy: try sample.publicKey)
      let nonce = "00000000-0000-4000-8000-00000000000\(number)"
      #expect(token.claims["nonce"] == .string(nonce))
    }
  }

  @Test("by default nonces differ")
  func defaultNonces() throws {
    let signer = try ClientRequestSigner(
      key: sample.key, issuerID: SigningSample.issuerID, bundleID: SigningSample.bundleID)
    let nonces = try (0..<50).map { _ in
      try SignedToken(
        signer.promotionalOffer(productID: "a", offerIdentifier: "b", at: moment),
        signedBy: try sample.publicKey
      ).claims["nonce"]
    }
    #expect(Set(nonces).count == 50)
  }
}

/// Gives UUIDs that end in 1, 2, 3 and so on.
private final class NonceCounter: Sendable {
  private let count = Locked<UInt8>(0)

  func next() -> UUID {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }
}
