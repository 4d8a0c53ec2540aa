import Foundation
import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("The signer and the time of an app receipt")
struct ReceiptChainTests {
  /// Returns the reason why a receipt of an authority is refused although its root is trusted.
  private func refusal(
    of authority: TestAuthority, trusting anchor: TrustAnchor? = nil
  ) throws -> ReceiptFailure? {
    try ReceiptScene.refusal(
      of: try authority.sign(ReceiptScene.receipt),
      by: try ReceiptScene.verifier(trusting: anchor ?? authority.trustAnchor))
  }

  @Test("a root is trusted in DER or by its fingerprint")
  func anchors() throws {
    let authority = try ReceiptScene.authority
    #expect(try refusal(of: authority) == nil)
    #expect(try refusal(of: authority, trusting: authority.fingerprintAnchor) == nil)
  }

  @Test("with a fingerprint the root has to be in the receipt")
  func fingerprintWithoutRoot() throws {
    let authority = try ReceiptScene.authority
    let without = try authority.withNewLeaf { $0.presented = [.leaf, .intermediate] }
    #expect(try refusal(of: without) == nil)
    #expect(
      try refusal(of: without, trusting: authority.fingerprintAnchor) == .chain(.untrustedRoot))
  }

  @Test("another root is not trusted, Apple's own for tokens neither")
  func otherRoot() throws {
    let authority = try ReceiptScene.authority
    let other = try TestAuthority.forReceipts { $0.root.commonName = "Other" }
    #expect(try refusal(of: authority, trusting: other.trustAnchor) == .chain(.untrustedRoot))
    #expect(try refusal(of: authority, trusting: other.fingerprintAnchor) == .chain(.untrustedRoot))
    #expect(try refusal(of: authority, trusting: .appleRootCAG3) == .chain(.untrustedRoot))
    #expect(try refusal(of: authority, trusting: .appleRootCA) == .chain(.untrustedRoot))
  }

  @Test("a root of the same name with another key signed nothing")
  func namesake() throws {
    // Without an identifier of its key, so that nothing but the signature gives it away.
    let namesake = try TestAuthority.forReceipts { $0.root.hasKeyIdentifiers = false }
    #expect(
      try refusal(of: try ReceiptScene.authority, trusting: namesake.trustAnchor)
        == .chain(.signature(1)))
  }

  @Test("without the intermediate there is no chain")
  func intermediateMissing() throws {
    let authority = try ReceiptScene.authority.withNewLeaf { $0.presented = [.leaf, .root] }
    #expect(try refusal(of: authority) == .chain(.untrustedRoot))
  }

  @Test("both of Apple's marks have to be there")
  func markers() throws {
    let authority = try ReceiptScene.authority
    #expect(
      try refusal(of: authority.withNewLeaf { $0.leaf.markers = [] }) == .chain(.missingLeafMarker))
    // The marker of the transaction receipts of iOS 6.
    #expect(
      try refusal(of: authority.withNewLeaf { $0.leaf.markers = ["1.2.840.113635.100.6.5.1"] })
        == .chain(.missingLeafMarker))
    #expect(
      try refusal(of: authority.withNewIntermediate { $0.intermediate.markers = [] })
        == .chain(.missingIntermediateMarker))
  }

  @Test("another certificate with the intermediate's name does not lend its marker")
  func namedLikeTheIntermediate() throws {
    // Without identifiers of keys, so that nothing but the signature gives it away.
    let stranger = try TestAuthority.forReceipts {
      $0.root.hasKeyIdentifiers = false
      $0.intermediate.hasKeyIdentifiers = false
    }.certificate(.intermediate)
    let unmarked = try ReceiptScene.authority.withNewIntermediate { $0.intermediate.markers = [] }
    let receipt = try unmarked.sign(ReceiptScene.receipt)
    let ders = ReceiptScene.ders(unmarked)
    func refusal(_ receipt: [UInt8], _ ders: [[UInt8]]) throws -> ReceiptFailure? {
      try ReceiptScene.refusal(
        of: try ReceiptScene.message(receipt, withCertificates: ders))
    }
    // The first certificate of the name decides the reason; the other is not under the anchor.
    #expect(try refusal(receipt, ders + [stranger]) == .chain(.missingIntermediateMarker))
    #expect(try refusal(receipt, [stranger] + ders) == .chain(.signature(1)))
    // Beside the right one it has no effect, in any position.
    let genuine = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    let right = ReceiptScene.ders(try ReceiptScene.authority)
    for place in 0...3 {
      var others = right
      others.insert(stranger, at: place)
      #expect(try refusal(genuine, others) == nil, "\(place)")
    }
  }

  @Test("another certificate with the leaf's issuer and serial number does no harm")
  func namedLikeTheLeaf() throws {
    let authority = try ReceiptScene.authority
    // The same certificate over another key: one bit of the modulus is flipped.
    var other = authority.certificate(.leaf)
    let place = try #require(other.firstRange(of: [0x02, 0x82, 0x01, 0x01, 0x00])).upperBound + 40
    other[place] ^= 1
    let genuine = try authority.sign(ReceiptScene.receipt)
    let right = ReceiptScene.ders(authority)
    for ders in [[other] + right, right + [other]] {
      let verifier = try ReceiptScene.verifier()
      let receipt = try ReceiptScene.message(genuine, withCertificates: ders)
      for _ in 0..<2 { #expect(try ReceiptScene.refusal(of: receipt, by: verifier) == nil) }
    }
    let alone = try ReceiptScene.message(genuine, withCertificates: [other] + right.dropFirst())
    #expect(try ReceiptScene.refusal(of: alone) == .chain(.signature(0)))
  }

  @Test("a key that cannot be read blames no platform")
  func unreadableKey() throws {
    let authority = try ReceiptScene.authority
    let genuine = try authority.sign(ReceiptScene.receipt)
    var spoilt = try TestAuthority.forReceipts().certificate(.intermediate)
    let place = try #require(spoilt.firstRange(of: [0x00, 0x30, 0x82, 0x01, 0x0A])).lowerBound + 1
    spoilt[place] = 0x31
    let ders = ReceiptScene.ders(authority)
    let receipt = try ReceiptScene.message(genuine, withCertificates: ders.dropLast() + [spoilt])
    let verifier = try ReceiptScene.verifier(trusting: authority.fingerprintAnchor)
    #expect(try ReceiptScene.refusal(of: receipt, by: verifier) == .chain(.untrustedRoot))
  }

  @Test("only an authority issues certificates, and an authority signs no receipt")
  func authorities() throws {
    let authority = try ReceiptScene.authority
    #expect(
      try refusal(of: authority.withNewIntermediate { $0.intermediate.isAuthority = false })
        == .chain(.notACertificateAuthority(1)))
    #expect(
      try refusal(
        of: authority.withNewIntermediate { $0.intermediate.keyUsage = "digitalSignature" })
        == .chain(.keyUsage(1)))
    #expect(
      try refusal(of: authority.withNewLeaf { $0.leaf.isAuthority = true })
        == .chain(.leafIsAuthority))
  }

  @Test("the leaf's key has to be RSA")
  func leafKey() throws {
    let authority = try ReceiptScene.authority.withNewLeaf { $0.leaf.key = .p256 }
    // CMS itself contains the algorithm of the key.
    #expect(try refusal(of: authority) == .unsupportedDigest)
  }

  @Test("a signature of another key is invalid, and so is one over another content")
  func strangersKey() throws {
    let authority = try ReceiptScene.authority
    let stranger = try authority.withNewLeaf { $0.signer = .stranger }
    #expect(try refusal(of: stranger) == .signatureInvalid)
    var changed = try authority.sign(ReceiptScene.receipt).dropLast(256)
    changed += try ReceiptScene.signed { $0.bundleID = "com.example.other" }.suffix(256)
    #expect(try ReceiptScene.refusal(of: Array(changed)) == .signatureInvalid)
  }

  @Test("all three certificates have to be valid when the receipt was made")
  func validity() throws {
    let made = ReceiptScene.receipt.creationDate
    let authority = try ReceiptScene.authority
    func ended(_ certificate: inout TestCertificate) {
      certificate.notAfter = made.addingTimeInterval(-1)
    }
    func early(_ certificate: inout TestCertificate) {
      certificate.notBefore = made.addingTimeInterval(1)
    }
    #expect(
      try refusal(of: authority.withNewLeaf { ended(&$0.leaf) }) == .chain(.certificateExpired(0)))
    #expect(
      try refusal(of: authority.withNewLeaf { early(&$0.leaf) })
        == .chain(.certificateNotYetValid(0)))
    #expect(
      try refusal(of: authority.withNewIntermediate { ended(&$0.intermediate) })
        == .chain(.certificateExpired(1)))
    #expect(
      try refusal(of: TestAuthority.forReceipts { ended(&$0.root) })
        == .chain(.certificateExpired(2)))
    // The validity period includes both ends.
    #expect(
      try refusal(
        of: authority.withNewLeaf {
          $0.leaf.notBefore = made
          $0.leaf.notAfter = made
        }) == nil)
  }

  @Test("a leaf that has expired since is accepted, unless the time is forced to now")
  func forcedTime() throws {
    let authority = try ReceiptScene.authority.withNewLeaf {
      $0.leaf.notAfter = ReceiptScene.now.addingTimeInterval(-1)
    }
    let receipt = try authority.sign(ReceiptScene.receipt)
    #expect(try ReceiptScene.refusal(of: receipt) == nil)
    let forced = try ReceiptScene.verifier(clockPolicy: .now)
    #expect(
      try ReceiptScene.refusal(of: receipt, by: forced)
        == .certificateNotValidAt(ReceiptScene.now, 0))
  }

  @Test("a receipt may be made five minutes ahead of our clock, and not a second more")
  func future() throws {
    let ahead = try ReceiptScene.signed {
      $0.creationDate = ReceiptScene.now.addingTimeInterval(300)
    }
    #expect(try ReceiptScene.refusal(of: ahead) == nil)
    let further = try ReceiptScene.signed {
      $0.creationDate = ReceiptScene.now.addingTimeInterval(301)
    }
    #expect(try ReceiptScene.refusal(of: further) == .creationDateInFuture)
  }
}

@Suite("The cache of a verifier of receipts")
struct ReceiptChainMemoryTests {
  @Test(
    "a bad signature under remembered certificates is refused, and a good one after a bad one is not"
  )
  func signature() throws {
    let verifier = try ReceiptScene.verifier()
    let good = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    var bad = good
    bad[bad.count - 1] ^= 1
    #expect(try ReceiptScene.refusal(of: bad, by: verifier) == .signatureInvalid)
    for _ in 0..<2 {
      #expect(try ReceiptScene.refusal(of: good, by: verifier) == nil)
      #expect(try ReceiptScene.refusal(of: bad, by: verifier) == .signatureInvalid)
    }
  }

  @Test("cached certificates are checked again at another time")
  func time() throws {
    let end = ReceiptScene.receipt.creationDate
    let authority = try ReceiptScene.authority.withNewLeaf { $0.leaf.notAfter = end }
    let verifier = try ReceiptScene.verifier()
    let good = try authority.sign(ReceiptScene.receipt)
    #expect(try ReceiptScene.refusal(of: good, by: verifier) == nil)
    var late = ReceiptScene.receipt
    late.creationDate = end.addingTimeInterval(1)
    #expect(
      try ReceiptScene.refusal(of: try authority.sign(late), by: verifier)
        == .chain(.certificateExpired(0))
    )
    #expect(try ReceiptScene.refusal(of: good, by: verifier) == nil)
  }

  @Test("the same certificates with another signer among them are checked again")
  func otherSigner() throws {
    let authority = try ReceiptScene.authority
    let second = try authority.withNewLeaf { $0.leaf.markers = [] }
    var builder = authority.receiptBuilder()
    builder.certificates.append(second.leaf)
    let content = try #require(
      try CMSMessage(try authority.sign(ReceiptScene.receipt)).content)
    let verifier = try ReceiptScene.verifier()
    #expect(try ReceiptScene.refusal(of: try builder.message(content), by: verifier) == nil)
    builder.signers = [(second.leaf, second.leafKey)]
    #expect(
      try ReceiptScene.refusal(of: try builder.message(content), by: verifier)
        == .chain(.missingLeafMarker))
  }

  @Test("variants of unsigned parts evict nothing")
  func variants() throws {
    let authority = try ReceiptScene.authority
    let genuine = try authority.sign(ReceiptScene.receipt)
    let verifier = try ReceiptScene.verifier()
    #expect(try ReceiptScene.refusal(of: genuine, by: verifier) == nil)
    #expect(verifier.cache.count == 1)
    for _ in 0..<4 {
      let extra = try TestAuthority().certificate(.leaf)
      let variant = try ReceiptScene.message(
        genuine, withCertificates: ReceiptScene.ders(authority) + [extra])
      #expect(try ReceiptScene.refusal(of: variant, by: verifier) == nil)
    }
    #expect(verifier.cache.count == 1)
  }

  @Test("many threads share one verifier")
  func threads() async throws {
    let verifier = try ReceiptScene.verifier()
    let good = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    let other = try ReceiptScene.authority.withNewLeaf().sign(ReceiptScene.receipt)
    await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<50).count { round in
            let receipt = (task + round).isMultiple(of: 2) ? good : other
            return (try? verifier.verify(der: receipt)) != nil
          }
        }
      }
      for await verified in group { #expect(verified == 50) }
    }
  }
}
