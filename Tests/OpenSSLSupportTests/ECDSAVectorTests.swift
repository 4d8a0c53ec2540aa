import FixtureSupport
import Foundation
import OpenSSLSupport
import Testing

/// C2SP/wycheproof, vectors of ECDSA on P-256 with SHA-256.
private struct ECDSAVectors: Decodable {
  struct Group: Decodable {
    var publicKeyDer: String
    var tests: [Vector]
  }

  struct Vector: Decodable {
    var tcId: Int
    var comment: String
    var msg: String
    var sig: String
    var result: String
  }

  var testGroups: [Group]

  static func bytes(_ hexadecimal: String) throws -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      let text = String(decoding: digits[index..<index + 2], as: UTF8.self)
      return try #require(UInt8(text, radix: 16))
    }
  }

  /// How many vectors have each result, after checking that ours is the same.
  static func check(
    _ path: String, signature: ([UInt8]) -> ECDSASignature?
  ) throws -> [String: Int] {
    let vectors = try JSONDecoder().decode(ECDSAVectors.self, from: try Fixtures.data(path))
    var counts: [String: Int] = [:]
    for group in vectors.testGroups {
      let key = try PublicKey(subjectPublicKeyInfo: try bytes(group.publicKeyDer))
      for vector in group.tests {
        let digest = try SHA256.digest(of: try bytes(vector.msg))
        let isValid =
          try signature(try bytes(vector.sig)).map { try key.isValid($0, forDigest: digest) }
          ?? false
        #expect(isValid == (vector.result == "valid"), "\(path) \(vector.tcId) \(vector.comment)")
        counts[vector.result, default: 0] += 1
      }
    }
    print("\(path): \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    return counts
  }
}

@Suite(
  "ECDSA vectors of Wycheproof", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct ECDSAVectorTests {
  @Test("signatures in the form of JWS have the results that the vectors state")
  func rawForm() throws {
    let counts = try ECDSAVectors.check(
      "wycheproof/ecdsa_secp256r1_sha256_p1363_test.json", signature: ECDSASignature.init(rawBytes:)
    )
    #expect(counts == ["valid": 173, "invalid": 89])
  }

  @Test("signatures in DER have the results that the vectors state")
  func der() throws {
    let counts = try ECDSAVectors.check(
      "wycheproof/ecdsa_secp256r1_sha256_test.json", signature: ECDSASignature.init(der:))
    #expect(counts == ["valid": 174, "invalid": 310])
  }
}
