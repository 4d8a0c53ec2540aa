import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import Testing

/// A token that we signed, taken apart and verified by the test itself.
struct SignedToken {
  let header: [String: JSONValue]
  let claims: [String: JSONValue]

  init(
    _ token: String, signedBy key: PublicKey, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let parts = try TokenParts(token)
    let digest = try SHA256.digest(of: Array(parts.content.utf8))
    let signature = try #require(
      ECDSASignature(rawBytes: parts.signatureBytes), sourceLocation: sourceLocation)
    #expect(try key.isValid(signature, forDigest: digest), sourceLocation: sourceLocation)
    header = try Self.members(of: parts.headerBytes)
    claims = try Self.members(of: parts.payloadBytes)
  }

  private static func members(of bytes: [UInt8]) throws -> [String: JSONValue] {
    guard case .object(let members) = try JSONValue(parsing: bytes) else {
      throw SignedDataFailure.malformedHeader
    }
    return members
  }
}

/// What the tests of signing share: a new key, and the values that App Store Connect would show.
struct SigningSample {
  let privateKey: PrivateKey
  let key: SigningKey

  static let keyID = "2X9R4HXF34"
  static let issuerID = "99b16628-15e4-4668-972b-eeff55eeff55"
  static let bundleID = "com.example.reader"
  static let nonce = "4b8f5b1c-0a51-4c9e-9d4f-8a6c2d1e0f3b"

  init() throws {
    privateKey = try PrivateKey(generating: .p256)
    key = try SigningKey(pem: try privateKey.pem, keyID: Self.keyID)
  }

  var publicKey: PublicKey { get throws { try privateKey.publicKey } }
}
