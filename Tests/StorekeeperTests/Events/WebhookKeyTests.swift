import Foundation
import HTTPMessages
import JSONValues
import Storekeeper
import Testing

/// Source: Standard Webhooks 1.0, "Signature scheme" and "Verifying signatures".
@Suite("Signatures of webhooks")
struct WebhookKeyTests {
  private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  private static let body = Array(#"{"test": 2432232314}"#.utf8)
  private static let signed = Date(timeIntervalSince1970: 1_614_265_330)

  private func headers(
    _ signature: String = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    id: String = "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: String = "1614265330"
  ) throws -> HTTPHeaders {
    var headers: HTTPHeaders = [:]
    try headers.set(id, for: "webhook-id")
    try headers.set(timestamp, for: "webhook-timestamp")
    try headers.set(signature, for: "webhook-signature")
    return headers
  }

  private func verify(
    _ headers: HTTPHeaders, keys: [String] = [secret], body: [UInt8] = body,
    after seconds: Double = 0
  ) throws {
    try WebhookVerifier(keys: keys).verify(
      body: body, headers: headers, at: Self.signed + seconds)
  }

  @Test("the published example is right")
  func example() throws {
    try verify(try headers())
  }

  @Test("one right signature of several is enough, by one of several keys")
  func rotation() throws {
    let right = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    let other = "whsec_" + String(repeating: "A", count: 32)
    try verify(try headers("v1,AAAA v1a,AAAA v9,x \(right)"), keys: [other, Self.secret])
    #expect(throws: WebhookFailure.signatureWrong) { try verify(headers(), keys: [other]) }
  }

  @Test("of a request with more than 32 signatures none is looked at")
  func manySignatures() throws {
    let right = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    try verify(headers(String(repeating: "v1,AAAA ", count: 31) + right))
    #expect(throws: WebhookFailure.signatureWrong) {
      try verify(headers(String(repeating: "v1,AAAA ", count: 32) + right))
    }
  }

  @Test("what was changed or comes late is refused")
  func refused() throws {
    #expect(throws: WebhookFailure.signatureWrong) {
      try verify(headers(), body: Array(#"{"test": 2432232315}"#.utf8))
    }
    #expect(throws: WebhookFailure.signatureWrong) { try verify(headers(id: "msg_other")) }
    #expect(throws: WebhookFailure.signatureWrong) { try verify(headers(timestamp: "1614265331")) }
    #expect(throws: WebhookFailure.signatureWrong) {
      // The version of another scheme.
      try verify(headers("v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="))
    }
    try verify(headers(), after: 300)
    #expect(throws: WebhookFailure.timestampTooOld) { try verify(headers(), after: 301) }
    try verify(headers(), after: -300)
    #expect(throws: WebhookFailure.timestampTooNew) { try verify(headers(), after: -301) }
    #expect(throws: WebhookFailure.timestampInvalid) { try verify(headers(timestamp: "1e9")) }
    #expect(throws: WebhookFailure.headerMissing) { try verify([:]) }
  }

  @Test("keys are read in their form only, and never printed")
  func keys() throws {
    for text in ["", "secret", "whsec_", "whsec_QUJD", "whsk_QUJD", "whpk_QUJD", "whsec_***"] {
      #expect(throws: WebhookKeyFailure.self) { try WebhookSigningKey(text) }
    }
    let seed = [UInt8](0..<32)
    let key = try WebhookSigningKey("whsk_" + Data(seed).base64EncodedString())
    // RFC 8032 gives each seed one public key; this one is that of the bytes 0 to 31.
    #expect(key.publicKey == "whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=")
    let pair =
      seed + Array(Data(base64Encoded: "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=") ?? Data())
    #expect(
      try WebhookSigningKey("whsk_" + Data(pair).base64EncodedString()).publicKey == key.publicKey)
    #expect(throws: WebhookKeyFailure.unusable) {
      try WebhookSigningKey("whsk_" + Data(seed + seed).base64EncodedString())
    }
    #expect("\(key)" == "WebhookSigningKey(v1a)")
    #expect(try !"\(WebhookSigningKey(Self.secret))".contains("Mf"))
    #expect(throws: WebhookKeyFailure.unusable) {
      try WebhookVerifier(keys: ["whsk_" + Data(seed).base64EncodedString()])
    }
  }

  @Test("an endpoint has a name, an https address and a key")
  func endpoints() throws {
    let keys = [try WebhookSigningKey(Self.secret)]
    #expect(throws: WebhookEndpointFailure.nameInvalid) {
      try WebhookEndpoint("a b", url: "https://example.org/", keys: keys)
    }
    for url in ["http://example.org/", "https://", "https://ann:pw@example.org/", "ftp://x/"] {
      #expect(throws: WebhookEndpointFailure.urlInvalid) {
        try WebhookEndpoint("a", url: url, keys: keys)
      }
    }
    #expect(throws: WebhookEndpointFailure.keyMissing) {
      try WebhookEndpoint("a", url: "https://example.org/", keys: [])
    }
    let local = try WebhookEndpoint("a", url: "http://localhost:1/", keys: keys, allowsHTTP: true)
    #expect(local.url == "http://localhost:1/")
  }
}
