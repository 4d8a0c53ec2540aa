import StorekeeperCertificateJudge

@testable import StorekeeperCrypto
@testable import StorekeeperTesting

/// Issuers with known keys, whose name all certificates below them have.
///
/// A small RSA key signs and verifies quickly.
enum Issuers {
  // Used only by the fuzzer's thread.
  nonisolated(unsafe) static let quick = issuer { try weakKey() }
  nonisolated(unsafe) static let strong = issuer { try PrivateKey(generating: .p256) }

  struct Issuer {
    let der: [UInt8]
    let reading: CertificateComparison.Reading
    let key: PrivateKey
    let algorithm: [UInt8]
    let name: [UInt8]
  }

  private struct NoKey: Error {}

  private static func weakKey() throws -> PrivateKey {
    var pem = [CChar](repeating: 0, count: 4096)
    guard judge_make_weak_key(&pem, pem.count) == 1 else { throw NoKey() }
    let text = pem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return try PrivateKey(pem: String(decoding: text, as: UTF8.self))
  }

  private static func issuer(_ makeKey: () throws -> PrivateKey) -> Issuer {
    do {
      let key = try makeKey()
      var builder = CertificateBuilder(
        subject: "Issuer", serialNumber: 1,
        validity: Certificate.Validity(notBefore: 1_500_000_000, notAfter: 2_000_000_000))
      builder.isAuthority = true
      builder.keyUsage = "keyCertSign"
      let certificate = try builder.certificate(for: key, issuedBy: nil, signedWith: key)
      let outline = certificate.outline
      return Issuer(
        der: certificate.der, reading: CertificateComparison.Reading(certificate.der), key: key,
        algorithm: Array(certificate.der[outline.algorithm]),
        name: Array(certificate.der[outline.subject]))
    } catch {
      fatalError("no issuer: \(error)")
    }
  }

  /// Returns a certificate with a valid signature over its signed part, in which only the issuer's
  /// name and the algorithm are replaced, if they can be found.
  static func signedAnew(_ bytes: [UInt8], strong isStrong: Bool) -> [UInt8]? {
    let issuer = isStrong ? strong : quick
    guard var tree = Tree(bytes, depth: 0), tree.children.count >= 1 else { return nil }
    var fields = tree.children[0].children
    // After an explicit version: serial number, algorithm, issuer.
    let first = fields.first?.tag == 0xA0 ? 1 : 0
    if fields.count > first + 2 {
      // Sometimes they stay unchanged.
      if bytes.count % 8 != 1 { fields[first + 1] = Tree(raw: issuer.algorithm) }
      if bytes.count % 8 != 2 { fields[first + 2] = Tree(raw: issuer.name) }
      tree.children[0].children = fields
    }
    let signedPart = tree.children[0].bytes
    guard let signature = try? issuer.key.signature(of: signedPart) else { return nil }
    let bits = DERHeader(.bitString, length: signature.count + 1).bytes + [0] + signature
    let content = signedPart + issuer.algorithm + bits
    return DERHeader(.sequence, length: content.count).bytes + content
  }

  /// Returns a certificate with these bytes as its issuer, signed with the quick key.
  static func subject(namedBy issuer: [UInt8]) -> [UInt8] {
    let name = Certificate(der: issuer).map { Array($0.der[$0.outline.subject]) } ?? quick.name
    guard var tree = Tree(quick.der, depth: 0) else { return quick.der }
    tree.children[0].children[3] = Tree(raw: name)
    tree.children[0].children[5] = Tree(raw: subjectName)
    return signedAnewAsIs(tree)
  }

  private static let subjectName: [UInt8] = [
    0x30, 0x0C, 0x31, 0x0A, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0C, 0x01, 0x41,
  ]

  private static func signedAnewAsIs(_ tree: Tree) -> [UInt8] {
    let signedPart = tree.children[0].bytes
    let signature = (try? quick.key.signature(of: signedPart)) ?? []
    let bits = DERHeader(.bitString, length: signature.count + 1).bytes + [0] + signature
    let content = signedPart + quick.algorithm + bits
    return DERHeader(.sequence, length: content.count).bytes + content
  }
}
