import StorekeeperFixtures
import Foundation
import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import Testing

/// The vectors `json_web_signature_test.json` in C2SP/wycheproof: whole tokens with many
/// algorithms, of which one is supported here.
struct JSONWebSignatureVectors: Decodable {
  struct Group: Decodable {
    var comment: String
    var `public`: Key?
    var tests: [Vector]
  }

  struct Key: Decodable {
    var kty: String
    var crv: String?
    var x: String?
    var y: String?
    var use: String?
    var key_ops: [String]?

    /// The key for verification, unless RFC 7517 section 4.2 (`use`) or 4.3 (`key_ops`) forbids
    /// that.
    func publicKey() throws -> PublicKey? {
      guard kty == "EC", crv == "P-256", use ?? "sig" == "sig",
        key_ops?.contains("verify") ?? true, let x, let y,
        let point = try? [x, y].flatMap({ text in
          try #require(Base64.decode(Array(text.utf8)[...], .url))
        })
      else { return nil }
      // SubjectPublicKeyInfo of an uncompressed point on P-256 (RFC 5480 section 2).
      let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
      ]
      return try PublicKey(subjectPublicKeyInfo: prefix + point)
    }
  }

  struct Vector: Decodable {
    var tcId: Int
    var comment: String
    var jws: String
    var result: String
  }

  var testGroups: [Group]

  /// Returns whether a token is signed with a key, by the parts of a verifier.
  static func isSigned(_ token: String, with key: PublicKey) throws -> Bool {
    let jws = try CompactJWS(signedData: token)
    _ = try TokenHeader.signatureHeader(try jws.decoded(.header))
    _ = try jws.decoded(.payload)
    guard let signature = ECDSASignature(rawBytes: try jws.decoded(.signature)) else {
      throw SignedDataFailure.signatureMalformed
    }
    let digest = try DigestPrefix(jws.header).digest(appending: jws.signedRemainder)
    return try key.isValid(signature, forDigest: digest)
  }
}

@Suite(
  "JSON Web Signatures of Wycheproof",
  .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct JSONWebSignatureVectorTests {
  private func groups() throws -> [JSONWebSignatureVectors.Group] {
    let data = try Fixtures.data("wycheproof/json_web_signature_test.json")
    return try JSONDecoder().decode(JSONWebSignatureVectors.self, from: data).testGroups
  }

  @Test("tokens of ES256 have the result that the vector states")
  func es256() throws {
    var counts: [String: Int] = [:]
    for group in try groups() where group.public?.crv == "P-256" {
      guard let key = try group.public?.publicKey() else {
        // The only fault is the purpose of the key, which is checked when a key is loaded; ours
        // come from certificates and have no such members.
        #expect(group.comment == "ec_key_for_encryption")
        for vector in group.tests { #expect(vector.result == "invalid") }
        counts["refused for the key's purpose", default: 0] += group.tests.count
        continue
      }
      for vector in group.tests {
        let isSigned = (try? JSONWebSignatureVectors.isSigned(vector.jws, with: key)) ?? false
        #expect(isSigned == (vector.result == "valid"), "\(vector.tcId) \(vector.comment)")
        counts[vector.result, default: 0] += 1
      }
    }
    print("json_web_signature_test.json, ES256: \(counts.sorted { $0.key < $1.key })")
    #expect(counts == ["valid": 2, "invalid": 37, "refused for the key's purpose": 2])
  }

  @Test("a signature that is out of range is refused for its form")
  func outOfRange() throws {
    for group in try groups() where group.comment == "SpecialCaseEs256" {
      let key = try #require(try group.public?.publicKey())
      for vector in group.tests {
        let isInRange = [
          "valid", "rIsOne_sIsOne", "rIsOne_sIsNminus1", "rIsNminus1_sIsOne",
          "rIsNminus1_sIsNminus1",
        ].contains(vector.comment)
        if isInRange {
          #expect(throws: Never.self, "\(vector.tcId) \(vector.comment)") {
            try JSONWebSignatureVectors.isSigned(vector.jws, with: key)
          }
        } else {
          #expect(throws: SignedDataFailure.signatureMalformed, "\(vector.tcId) \(vector.comment)")
          {
            try JSONWebSignatureVectors.isSigned(vector.jws, with: key)
          }
        }
      }
    }
  }

  @Test("tokens of every other algorithm are refused for it, or for their form")
  func otherAlgorithms() throws {
    let verifier = try SignedDataVerifier(apps: [Sample.app], environments: .auto)
    var counts: [String: Int] = [:]
    for group in try groups() where group.public?.crv != "P-256" {
      for vector in group.tests {
        let failure = #expect(throws: SignedDataFailure.self, "\(vector.tcId)") {
          try verifier.transaction(vector.jws)
        }
        let reason = try #require(failure).name
        #expect(
          ["unsupportedAlgorithm", "malformedToken", "badEncoding", "malformedHeader"]
            .contains(reason), "\(vector.tcId) \(vector.comment): \(reason)")
        if vector.result == "valid" {
          #expect(reason == Self.reason(forValid: vector.comment), "\(vector.tcId)")
        }
        counts[reason, default: 0] += 1
      }
    }
    print("json_web_signature_test.json, others: \(counts.sorted { $0.key < $1.key })")
    #expect(counts.values.reduce(0, +) == 360)
  }

  /// A valid token is refused only for its algorithm.
  ///
  /// The exceptions: data of the App Store is never empty, and a character outside of base64url is
  /// not skipped (RFC 7515 section 2), as the vectors allow.
  private static func reason(forValid comment: String) -> String {
    switch comment {
    case "emptyPayload": "malformedToken"
    case "InvalidCharacterInsertedInHeader", "InvalidCharacterInsertedInPayload": "badEncoding"
    default: "unsupportedAlgorithm"
    }
  }
}
