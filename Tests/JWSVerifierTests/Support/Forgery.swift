import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

extension TestAuthority {
  /// A certificate for a new key, issued as asked, and the key: for what no real authority makes.
  func forged(
    _ certificate: TestCertificate, issuedBy issuer: Certificate, signedWith key: PrivateKey
  ) throws -> ForgedCertificate {
    let ownKey = try certificate.makeKey()
    return ForgedCertificate(
      certificate: try certificate.builder(serialNumber: 77)
        .certificate(for: ownKey, issuedBy: issuer, signedWith: key),
      key: ownKey)
  }

  /// The root with another version, the same name and the same key.
  func twinRoot(version: Int) throws -> Certificate {
    var twin = shape.root
    twin.version = version
    return try twin.builder(serialNumber: 99)
      .certificate(for: rootKey, issuedBy: nil, signedWith: rootKey)
  }
}

/// A certificate with its key.
struct ForgedCertificate {
  let certificate: Certificate
  let key: PrivateKey

  /// A token by this key under the certificates given, in `x5c` as they are.
  func sign(_ payload: JSONValue = Sample.transaction(), x5c: [Certificate]) throws -> String {
    let texts = x5c.map { JSONValue.string(Base64.encode($0.der, .standard)) }
    let header = JSONValue.object(["alg": .string("ES256"), "x5c": .array(texts)])
    let content =
      Base64.encode(header.serialized, .url) + "." + Base64.encode(payload.serialized, .url)
    let der = try key.signature(of: Array(content.utf8))
    let signature = try #require(ECDSASignature(der: der))
    return content + "." + Base64.encode(signature.rawBytes, .url)
  }
}

extension Certificate {
  /// The certificate with some bytes of its signed part replaced by as many others, signed anew.
  func resigned(
    replacing old: [UInt8], with new: [UInt8], key: PrivateKey
  ) throws -> Certificate {
    // Certificate and signed part are sequences with lengths of two bytes.
    try #require(old.count == new.count && der[1] == 0x82 && der[5] == 0x82)
    let end = 8 + Int(der[6]) << 8 + Int(der[7])
    let place = try #require((8...end - old.count).first { der[$0...].starts(with: old) })
    var signedPart = Array(der[4..<end])
    signedPart.replaceSubrange(place - 4..<place - 4 + old.count, with: new)
    let algorithm = der[end..<end + 2 + Int(der[end + 1])]
    let signature = try [0] + key.signature(of: signedPart)
    let content = signedPart + algorithm + [0x03, UInt8(signature.count)] + signature
    let length = [UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
    return try #require(Certificate(der: [0x30, 0x82] + length + content))
  }
}
