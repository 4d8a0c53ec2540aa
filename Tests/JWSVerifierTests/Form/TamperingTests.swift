import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Tampering with a good token")
struct TamperingTests {
  let authority: TestAuthority
  let token: TokenParts
  /// A verifier with a filled cache that uses the current time, so that a changed signing date
  /// causes no other failure.
  let warm: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    var header = authority.header
    header["kid"] = .string("sample")
    token = try TokenParts(authority.sign(Sample.transaction().serialized, header: header))
    warm = try authority.verifier(clockPolicy: .now)
    _ = try warm.transaction(token.text)
  }

  @Test("any flipped bit of the payload makes the signature wrong")
  func payload() throws {
    let bytes = try token.payloadBytes
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(throws: SignedDataFailure.signatureInvalid, "bit \(bit) of byte \(index)") {
          try warm.transaction(token.replacing(payload: changed))
        }
      }
    }
  }

  @Test("any flipped bit of the signature makes it wrong")
  func signature() throws {
    let bytes = try token.signatureBytes
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        // Only a change of the first four bytes can put a number out of range (n begins FFFFFFFF).
        let isInRange = ECDSASignature(rawBytes: changed) != nil
        let reason: SignedDataFailure = isInRange ? .signatureInvalid : .signatureMalformed
        #expect(isInRange || index % 32 < 4)
        #expect(throws: reason, "bit \(bit) of byte \(index)") {
          try warm.transaction(token.replacing(signature: changed))
        }
      }
    }
  }

  @Test("a flipped bit of the header makes the signature wrong, or an earlier check fails")
  func header() throws {
    let bytes = try token.headerBytes
    let reasons: Set = [
      "malformedHeader", "unsupportedAlgorithm", "missingCertificateChain", "certificateEncoding",
      "certificateMalformed", "chainInvalid", "untrustedRoot", "notACertificateAuthority",
      "missingIntermediateMarker", "missingLeafMarker", "unsupportedLeafKey", "certificateExpired",
      "certificateNotYetValid", "signatureInvalid",
    ]
    var refusals: [String: Int] = [:]
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var changed = bytes
      changed[index] ^= 1 << UInt8(index % 8)
      let failure = #expect(throws: SignedDataFailure.self, "byte \(index)") {
        try warm.transaction(token.replacing(header: changed))
      }
      refusals[failure?.name ?? "none", default: 0] += 1
    }
    #expect(Set(refusals.keys).isSubset(of: reasons), "\(refusals)")
    #expect(warm.cachedHeaders == 1)
  }

  @Test("a changed kid, which is ignored, makes the signature wrong")
  func keyID() throws {
    var header = authority.header
    header["kid"] = .string("simple")
    let attack = token.replacing(header: JSONValue.object(header).serialized)
    #expect(throws: SignedDataFailure.signatureInvalid) { try warm.transaction(attack) }
  }

  @Test("the header written otherwise makes the signature wrong")
  func rewrittenHeader() throws {
    let attack = token.replacing(header: [0x20] + (try token.headerBytes))
    #expect(throws: SignedDataFailure.signatureInvalid) { try warm.transaction(attack) }
  }

  @Test("a flipped bit in the leaf's signed part breaks the chain")
  func leaf() throws {
    var leaf = authority.leaf.der
    // The last byte of the subject's common name.
    let name = Array(authority.shape.leaf.commonName.utf8)
    let start = try #require(leaf.indices.first { leaf[$0...].starts(with: name) })
    leaf[start + name.count - 1] ^= 0x01
    var texts = authority.encodedCertificates
    texts[0] = Base64.encode(leaf, .standard)
    let attack = try authority.token(x5c: texts)
    #expect(throws: SignedDataFailure.chain(.signature(0))) { try warm.transaction(attack) }
  }

  @Test("a flipped bit in the intermediate's signed part breaks the chain")
  func intermediate() throws {
    var intermediate = authority.intermediate.der
    let marker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x01]
    let start = try #require(
      intermediate.indices.first { intermediate[$0...].starts(with: marker) })
    intermediate[start + marker.count - 1] ^= 0x02
    var texts = authority.encodedCertificates
    texts[1] = Base64.encode(intermediate, .standard)
    let attack = try authority.token(x5c: texts)
    #expect(throws: SignedDataFailure.chain(.signature(1))) { try warm.transaction(attack) }
  }

  @Test("the signature of another token under the same header is wrong")
  func otherSignature() throws {
    var header = authority.header
    header["kid"] = .string("sample")
    let other = try TokenParts(
      authority.sign(
        Sample.transaction(["productId": .string("reader.year")]).serialized, header: header))
    #expect(other.header == token.header)
    for (content, signature) in [(token, other), (other, token)] {
      #expect(throws: SignedDataFailure.signatureInvalid) {
        try warm.transaction("\(content.content).\(signature.signature)")
      }
    }
  }

  @Test("a signature by a key that no certificate names is wrong")
  func strangersKey() throws {
    let stranger = try authority.withNewLeaf { $0.signer = .stranger }
    #expect(throws: SignedDataFailure.signatureInvalid) {
      try warm.transaction(stranger.sign(Sample.transaction()))
    }
  }

  @Test("a signature over the payload alone, or over decoded bytes, is wrong")
  func otherContent() throws {
    let bytes = try token.headerBytes + [0x2E] + token.payloadBytes
    for content in [
      token.payload, token.content + ".", token.content + "\n", String(token.content.reversed()),
      String(decoding: bytes, as: UTF8.self),
    ] {
      let signature = try authority.signature(of: content)
      #expect(throws: SignedDataFailure.signatureInvalid) {
        try warm.transaction("\(token.content).\(signature)")
      }
    }
  }
}
