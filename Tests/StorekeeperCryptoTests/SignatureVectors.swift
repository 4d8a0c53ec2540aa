import StorekeeperFixtures
import Foundation
import StorekeeperCrypto
import Testing

/// The vectors of signatures over SHA-256 in C2SP/wycheproof.
struct SignatureVectors: Decodable {
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

  /// Checks all vectors and returns the number for each result; an acceptable one may be either.
  static func check(
    _ path: String,
    isValid: (_ key: PublicKey, _ signature: [UInt8], _ message: [UInt8]) throws -> Bool
  ) throws -> [String: Int] {
    let vectors = try JSONDecoder().decode(Self.self, from: try Fixtures.data(path))
    var counts: [String: Int] = [:]
    for group in vectors.testGroups {
      let key = try PublicKey(subjectPublicKeyInfo: try bytes(group.publicKeyDer))
      for vector in group.tests {
        let found = try isValid(key, try bytes(vector.sig), try bytes(vector.msg))
        let isExpected = vector.result == "acceptable" || found == (vector.result == "valid")
        #expect(isExpected, "\(path) \(vector.tcId) \(vector.comment)")
        counts[vector.result, default: 0] += 1
      }
    }
    print("\(path): \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    return counts
  }

  private static func bytes(_ hexadecimal: String) throws -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      let text = String(decoding: digits[index..<index + 2], as: UTF8.self)
      return try #require(UInt8(text, radix: 16))
    }
  }
}
