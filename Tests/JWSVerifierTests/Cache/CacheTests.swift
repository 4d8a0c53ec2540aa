import Foundation
import JWSVerifier
import StorekeeperLocks
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

/// A clock with a settable time.
final class TestClock: Sendable {
  private let date = Locked(Sample.now)

  var now: Date { date.withLock { $0 } }

  func advance(by seconds: TimeInterval) {
    date.withLock { $0 = $0.addingTimeInterval(seconds) }
  }
}

@Suite("The cache of headers")
struct CacheTests {
  let authority: TestAuthority
  let clock = TestClock()

  init() throws {
    authority = try TestAuthority()
  }

  private func verifier(
    entries: Int = 64, lifetime: Duration = .seconds(900), clockPolicy: ClockPolicy = .signedDate,
    trusting authority: TestAuthority? = nil
  ) throws -> SignedDataVerifier {
    var configuration = SignedDataVerifier.Configuration()
    configuration.clockPolicy = clockPolicy
    configuration.cache = .init(entries: entries, lifetime: lifetime)
    return try SignedDataVerifier(
      apps: [Sample.app], environments: [.sandbox],
      trustAnchors: [(authority ?? self.authority).trustAnchor], configuration: configuration,
      now: { [clock] in clock.now })
  }

  /// The token with a well-formed but wrong signature.
  private func spoiled(_ token: String) throws -> String {
    try TokenParts(token).replacing(signature: [UInt8](repeating: 1, count: 64))
  }

  @Test("a known header does not excuse a bad signature")
  func badSignature() throws {
    let token = try authority.sign(Sample.transaction())
    let verifier = try verifier()
    _ = try verifier.transaction(token)
    #expect(verifier.cachedHeaders == 1)
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try verifier.transaction(spoiled(token))
    }
    let other = try TokenParts(authority.sign(Sample.transaction(["quantity": .integer(2)])))
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try verifier.transaction("\(other.content).\(TokenParts(token).signature)")
    }
    #expect(try verifier.transaction(other.text).payload.quantity == 2)
  }

  @Test("a known header does not excuse another app, environment or shape")
  func otherChecks() throws {
    let verifier = try verifier()
    _ = try verifier.transaction(authority.sign(Sample.transaction()))
    #expect(throws: SignedDataFailure.bundleMismatch(found: "com.example.other")) {
      try verifier.transaction(
        authority.sign(Sample.transaction(["bundleId": .string("com.example.other")])))
    }
    #expect(throws: SignedDataFailure.environmentNotAllowed(.production)) {
      try verifier.transaction(authority.sign(Sample.transaction(Sample.production)))
    }
    #expect(throws: SignedDataFailure.notificationShape(count: 0)) {
      try verifier.notification(authority.sign(Sample.transaction()))
    }
    let future = JSONValue.integer(1_761_962_975_000 + 300_001)
    #expect(throws: SignedDataFailure.signedDateInFuture) {
      try verifier.transaction(authority.sign(Sample.transaction(["signedDate": future])))
    }
    let parts = try TokenParts(authority.sign(Sample.transaction()))
    #expect(throws: SignedDataFailure.badEncoding(.payload)) {
      try verifier.transaction("\(parts.header).\(parts.payload)=.\(parts.signature)")
    }
    #expect(verifier.cachedHeaders == 1)
  }

  @Test("a known header does not excuse a time outside the certificates'")
  func outsideTheWindow() throws {
    let authority = try TestAuthority {
      $0.leaf.notBefore = Sample.now.addingTimeInterval(-100)
      $0.leaf.notAfter = Sample.now.addingTimeInterval(100)
    }
    let verifier = try verifier(trusting: authority)
    for _ in 0..<2 {
      _ = try verifier.transaction(authority.sign(Sample.transaction()))
      let early = JSONValue.integer(1_761_962_975_000 - 100_001)
      #expect(throws: SignedDataFailure.chain(.certificateNotYetValid(0))) {
        try verifier.transaction(authority.sign(Sample.transaction(["signedDate": early])))
      }
      let late = JSONValue.integer(1_761_962_975_000 + 100_001)
      #expect(throws: SignedDataFailure.chain(.certificateExpired(0))) {
        try verifier.transaction(authority.sign(Sample.transaction(["signedDate": late])))
      }
    }
  }

  @Test("by the clock policy now a known header ends with its certificates")
  func nowPolicy() throws {
    let authority = try TestAuthority { $0.leaf.notAfter = Sample.now.addingTimeInterval(100) }
    let verifier = try verifier(lifetime: .seconds(100_000), clockPolicy: .now, trusting: authority)
    let token = try authority.sign(Sample.transaction())
    _ = try verifier.transaction(token)
    clock.advance(by: 100)
    #expect(try verifier.transaction(token).token == token)
    clock.advance(by: 1)
    #expect(throws: SignedDataFailure.chain(.certificateExpired(0))) {
      try verifier.transaction(token)
    }
  }

  @Test("a failure is not remembered: the good token after it is accepted")
  func failureThenGood() throws {
    let token = try authority.sign(Sample.transaction())
    let verifier = try verifier()
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try verifier.transaction(spoiled(token))
    }
    #expect(verifier.cachedHeaders == 0)
    #expect(try verifier.transaction(token).token == token)
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try verifier.transaction(spoiled(token))
    }
    #expect(try verifier.transaction(token).token == token)
    #expect(verifier.cachedHeaders == 1)
  }

  @Test("variants of a header that the leaf did not sign never enter")
  func unsignedVariants() throws {
    let verifier = try verifier(entries: 4)
    let parts = try TokenParts(authority.sign(Sample.transaction()))
    _ = try verifier.transaction(parts.text)
    for number in 0..<50 {
      var header = authority.header
      header["kid"] = .integer(number)
      #expect(throws: SignedDataFailure.signatureInvalid) {
        try verifier.transaction(
          parts.replacing(header: JSONValue.object(header).serialized))
      }
      #expect(verifier.cachedHeaders == 1)
    }
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try verifier.transaction(spoiled(parts.text))
    }
  }

  @Test("a header enters when its signature fits, though the payload is refused afterwards")
  func refusedPayload() throws {
    let verifier = try verifier()
    #expect(throws: SignedDataFailure.environmentMissing) {
      try verifier.transaction(authority.sign(Sample.transaction(["environment": nil])))
    }
    #expect(verifier.cachedHeaders == 1)
  }

  @Test("the bound holds, and the one not used for the longest goes")
  func bound() throws {
    let verifier = try verifier(entries: 3)
    let tokens = try (0..<4).map { _ in try authority.withNewLeaf().sign(Sample.transaction()) }
    for token in tokens[..<3] { _ = try verifier.transaction(token) }
    #expect(verifier.cachedHeaders == 3)
    _ = try verifier.transaction(tokens[0])
    _ = try verifier.transaction(tokens[3])
    #expect(verifier.cachedHeaders == 3)
    // An entry shows once it has expired: a bad token with its header removes it and inserts
    // nothing.
    clock.advance(by: 900)
    let held = tokens.map { token in
      let before = verifier.cachedHeaders
      #expect(throws: SignedDataFailure.signatureInvalid) {
        try verifier.transaction(spoiled(token))
      }
      return verifier.cachedHeaders < before
    }
    #expect(held == [true, false, true, true])
    #expect(verifier.cachedHeaders == 0)
  }

  @Test("more headers than the bound are all verified, and the bound holds throughout")
  func manyHeaders() throws {
    let verifier = try verifier(entries: 5)
    for number in 0..<40 {
      var header = authority.header
      header["kid"] = .integer(number)
      let token = try authority.sign(Sample.transaction().serialized, header: header)
      #expect(try verifier.transaction(token).token == token)
      #expect(verifier.cachedHeaders == min(number + 1, 5))
    }
  }

  @Test("nothing is remembered with a bound of zero", arguments: [0, -1])
  func noCache(entries: Int) throws {
    let verifier = try verifier(entries: entries)
    let token = try authority.sign(Sample.transaction())
    for _ in 0..<3 { #expect(try verifier.transaction(token).token == token) }
    #expect(verifier.cachedHeaders == 0)
  }

  @Test("an entry lives for its lifetime by the injected clock")
  func expiry() throws {
    let verifier = try verifier(lifetime: .seconds(900))
    let token = try authority.sign(Sample.transaction())
    _ = try verifier.transaction(token)
    clock.advance(by: 899)
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try verifier.transaction(spoiled(token))
    }
    #expect(verifier.cachedHeaders == 1)
    clock.advance(by: 1)
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try verifier.transaction(spoiled(token))
    }
    #expect(verifier.cachedHeaders == 0)
    _ = try verifier.transaction(token)
    #expect(verifier.cachedHeaders == 1)
  }

  @Test("the cache of one verifier affects no other")
  func separateVerifiers() throws {
    let token = try authority.sign(Sample.transaction())
    let trusting = try verifier()
    _ = try trusting.transaction(token)
    let other = try verifier(trusting: TestAuthority { $0.root.commonName = "Other Root" })
    #expect(throws: SignedDataFailure.chain(.untrustedRoot)) { try other.transaction(token) }
    #expect(other.cachedHeaders == 0)
  }

  @Test("a cached authority accepts no foreign leaf")
  func rememberedAuthority() throws {
    let verifier = try verifier()
    _ = try verifier.transaction(authority.sign(Sample.transaction()))
    let stranger = try TestAuthority.namesake()
    let forged = try authority.forged(
      authority.shape.leaf, issuedBy: stranger.intermediate, signedWith: stranger.intermediateKey)
    #expect(throws: SignedDataFailure.chain(.signature(0))) {
      try verifier.transaction(
        forged.sign(x5c: [forged.certificate, authority.intermediate, authority.root]))
    }
    let unmarked = try authority.withNewLeaf { $0.leaf.markers = [] }
    #expect(throws: SignedDataFailure.chain(.missingLeafMarker)) {
      try verifier.transaction(unmarked.sign(Sample.transaction()))
    }
    let next = try authority.withNewLeaf().sign(Sample.transaction())
    #expect(try verifier.transaction(next).token == next)
  }
}
