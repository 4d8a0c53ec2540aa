import HTTPMessages
import JWSVerifier
import ReceiptModels
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// Credit rules, section 4.
@Suite("Problems of credits")
struct ProblemTests {
  @Test("bodies are those of the contract, byte for byte")
  func bytes() async throws {
    let scene = try await CreditScene()
    let jws = try scene.authority.sign(CreditScene.transaction())
    let long = String(repeating: "1", count: 65)
    var found = [
      try await scene.verify(scene.body(transactionID: long, jws: jws)),
      try await scene.verify("", user: nil),
    ]
    #expect(try await scene.verify().status == .ok)
    found.append(try await scene.verify(user: "u2"))
    found.append(try await scene.verify(scene.body(productID: "com.example.gems.big", jws: jws)))
    var revoked = CreditScene.Purchase()
    revoked.transaction.revocationDate = CreditScene.now
    found.append(try await scene.verify(revoked))
    found.append(try await scene.notify("{}"))
    let other = CreditScene.Purchase(transaction: CreditScene.transaction("7"))
    found.append(try await scene.verify(other))
    let closed = try await CreditScene(products: [])
    found.append(try await closed.verify())
    var wrong = CreditScene.Purchase()
    wrong.transaction.bundleID = "com.example.other"
    found.append(try await scene.verify(wrong))
    #expect(
      found.map(\.text) == [
        #"{"type":"urn:problem:request-validation-failed","title":"Request validation failed","status":422,"detail":"transactionId is longer than 64 characters.","code":"REQUEST_VALIDATION_FAILED","params":{"field":"transactionId","reason":"too_long","max":64}}"#,
        #"{"type":"urn:problem:unauthenticated","title":"Authentication required","status":401,"detail":"Sign in and try again.","code":"UNAUTHENTICATED"}"#,
        #"{"type":"urn:problem:payment-transaction-conflict","title":"Transaction conflict","status":409,"detail":"The transaction was already used.","code":"PAYMENT_TRANSACTION_CONFLICT","params":{"transactionId":"2000000900000001"}}"#,
        #"{"type":"urn:problem:payment-product-mismatch","title":"Product mismatch","status":422,"detail":"The product does not match the signed transaction.","code":"PAYMENT_PRODUCT_MISMATCH","params":{"productCode":"welcome_pack","appStoreProductId":"com.example.gems.big"}}"#,
        #"{"type":"urn:problem:payment-transaction-revoked","title":"Transaction revoked","status":409,"detail":"The transaction was refunded or revoked.","code":"PAYMENT_TRANSACTION_REVOKED","params":{"transactionId":"2000000900000001"}}"#,
        #"{"type":"urn:problem:request-malformed","title":"Malformed request","status":400,"detail":"The body must be a JSON object with signedPayload.","code":"REQUEST_MALFORMED"}"#,
        #"{"type":"urn:problem:payment-starter-pack-ineligible","title":"Starter pack not available","status":409,"detail":"The starter pack was already bought.","code":"PAYMENT_STARTER_PACK_INELIGIBLE","params":{"productCode":"welcome_pack"}}"#,
        #"{"type":"urn:problem:payment-product-not-found","title":"Product not found","status":404,"detail":"No enabled product has this code.","code":"PAYMENT_PRODUCT_NOT_FOUND","params":{"productCode":"welcome_pack"}}"#,
        #"{"type":"urn:problem:payment-transaction-invalid","title":"Transaction invalid","status":422,"detail":"The signed transaction could not be accepted.","code":"PAYMENT_TRANSACTION_INVALID","params":{"reason":"bundle_id_mismatch"}}"#,
      ])
    for response in found {
      #expect(response.headers.values(for: .contentType) == ["application/problem+json"])
      #expect(response.headers.values(for: .requestID).count == 1)
      #expect(
        response.headers.values(for: .cacheControl) == ["no-cache, no-store, must-revalidate"])
      #expect(!response.text.contains(jws))
    }
  }

  @Test("those of a failing server too")
  func serverFailures() async throws {
    let broken = try await CreditScene(users: FixedAuthenticator(failure: SecretFailure()))
    #expect(
      try await broken.verify().text
        == #"{"type":"urn:problem:internal-error","title":"Internal error","status":500,"detail":"Try again later.","code":"INTERNAL_ERROR"}"#
    )
    let stopping = try await CreditScene(users: FixedAuthenticator(failure: CancellationError()))
    let response = try await stopping.verify()
    #expect(
      response.text
        == #"{"type":"urn:problem:service-unavailable","title":"Service unavailable","status":503,"detail":"Try again later.","code":"SERVICE_UNAVAILABLE"}"#
    )
    #expect(response.headers.values(for: .retryAfter) == ["5"])
  }

  @Test("the beginning of the type is the host's")
  func base() async throws {
    let scene = try await CreditScene(problemBase: "https://example.com/problems/")
    #expect(
      try await scene.verify("", user: nil).text.hasPrefix(
        #"{"type":"https://example.com/problems/unauthenticated","#))
  }

  @Test("an unknown path and a wrong method have problems too")
  func routing() async throws {
    let scene = try await CreditScene()
    let unknown = try await scene.send(.post, "/payments/apple/transactions", user: nil)
    #expect(unknown.problem == ProblemBody(404, "NOT_FOUND"))
    for (path, allowed) in [
      ("/payments/apple/transactions/verify", "POST"), ("/payments/apple/notifications", "POST"),
      ("/payments/apple/products", "GET"), ("/credits/balance", "GET"),
      ("/credits/ledger", "GET"), ("/credits/entries", "POST"),
    ] {
      for method: HTTPRequestMethod in [.put, .delete, .patch, allowed == "GET" ? .post : .get] {
        let response = try await scene.send(method, path, user: nil)
        #expect(response.problem == ProblemBody(405, "METHOD_NOT_ALLOWED"))
        #expect(response.headers.values(for: .allow) == [allowed])
      }
    }
  }

  @Test("every failure of the verifier has its reason", arguments: reasons)
  func reason(failure: SignedDataFailure, reason: SignedDataReason?) {
    #expect(SignedDataReason(failure) == reason)
    switch reason {
    case .bundleIDMismatch, .environmentNotAllowed:
      // Inside a notification.
      #expect(SignedDataReason(.nested(.transaction, failure)) == .payloadInvalid)
    default: #expect(SignedDataReason(.nested(.transaction, failure)) == reason)
    }
  }

  private static let reasons: [(SignedDataFailure, SignedDataReason?)] = [
    (.tokenTooLarge(limit: 1), .malformed), (.malformedToken, .malformed),
    (.badEncoding(.payload), .malformed), (.malformedHeader, .malformed),
    (.criticalHeader, .malformed), (.unsupportedAlgorithm("none"), .malformed),
    (.missingCertificateChain, .malformed), (.wrongChainLength(2), .chainInvalid),
    (.certificateEncoding(0), .chainInvalid), (.certificateTooLarge(1), .chainInvalid),
    (.certificateRevoked(0), .chainInvalid), (.certificateStatusUnknown(1), .chainInvalid),
    (.signatureMalformed, .signatureInvalid), (.signatureInvalid, .signatureInvalid),
    (.onlineCheckFailed(.noResponder), nil), (.bundleMismatch(found: "x"), .bundleIDMismatch),
    (.bundleMismatch(found: nil), .payloadInvalid),
    (.appAppleIdMismatch(found: 1), .bundleIDMismatch),
    (.environmentUnknown("Moon"), .environmentNotAllowed),
    (.environmentNotAllowed(.xcode), .environmentNotAllowed),
    (.environmentMissing, .payloadInvalid), (.signedDateInFuture, .payloadInvalid),
    (.notificationShape(count: 2), .payloadInvalid),
    (.nestedMismatch(.bundleID(.transaction)), .payloadInvalid),
  ]
}
