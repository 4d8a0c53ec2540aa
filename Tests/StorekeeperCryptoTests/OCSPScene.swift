import StorekeeperCrypto
import StorekeeperTesting
import Testing

/// New certificates for tests of OCSP: root (P-384), intermediate (P-384), leaf (P-256).
struct OCSPScene {
  /// A certificate with its key.
  struct Identity {
    let certificate: Certificate
    let key: PrivateKey
  }

  /// The current time in seconds since 1970 UTC.
  static let now = 1_700_000_000
  static let validity = Certificate.Validity(notBefore: now - 86_400, notAfter: now + 86_400)

  let root: Identity
  let intermediate: Identity
  let leaf: Identity

  init() throws {
    root = try Self.identity("Root", 1, .p384) { $0.isAuthority = true }
    // Apple's intermediate has a marker unknown to OpenSSL; here it is even critical.
    intermediate = try Self.identity("Intermediate", 2, .p384, issuer: root) {
      $0.isAuthority = true
      $0.pathLength = 0
      $0.keyUsage = "keyCertSign,cRLSign"
      $0.markers = ["1.2.840.113635.100.6.2.1"]
      $0.markersAreCritical = true
    }
    leaf = try Self.identity("Leaf", 3, .p256, issuer: intermediate) { $0.isAuthority = false }
  }

  /// Creates a certificate for a new key, self-signed without an issuer.
  static func identity(
    _ name: String, _ serialNumber: Int, _ kind: PrivateKey.Generated, issuer: Identity? = nil,
    signingKey: PrivateKey? = nil, _ change: (inout CertificateBuilder) -> Void = { _ in }
  ) throws -> Identity {
    var builder = CertificateBuilder(
      subject: name, serialNumber: serialNumber, validity: validity)
    change(&builder)
    let key = try PrivateKey(generating: kind)
    let certificate = try builder.certificate(
      for: key, issuedBy: issuer?.certificate, signedWith: signingKey ?? issuer?.key ?? key)
    return Identity(certificate: certificate, key: key)
  }

  /// The query about the leaf.
  func leafQuery(nonce: [UInt8]? = Array(1...32)) throws -> OCSPQuery {
    try OCSPQuery(about: leaf.certificate, issuedBy: intermediate.certificate, nonce: nonce)
  }

  /// The query about the intermediate.
  func intermediateQuery() throws -> OCSPQuery {
    try OCSPQuery(about: intermediate.certificate, issuedBy: root.certificate, nonce: [1, 2, 3])
  }

  /// Creates a delegate for answers, valid unless changed.
  func delegate(
    of issuer: Identity, _ kind: PrivateKey.Generated = .p256,
    _ change: (inout CertificateBuilder) -> Void = { _ in }
  ) throws -> Identity {
    try Self.identity("Delegate", 7, kind, issuer: issuer) {
      $0.mayAnswerRevocation = true
      $0.isAuthority = false
      change(&$0)
    }
  }

  /// Creates an answer to a query: good for an hour, signed by the given key.
  func answer(
    to query: OCSPQuery, by signer: Identity,
    _ change: (inout OCSPAnswerBuilder) -> Void = { _ in }
  ) throws -> [UInt8] {
    var builder = OCSPAnswerBuilder(thisUpdate: Self.now - 60, nextUpdate: Self.now + 3600)
    change(&builder)
    let received = try #require(OCSPReceivedQuery(der: query.der))
    return try builder.answer(to: received, signedBy: signer.certificate, key: signer.key)
  }

  /// Verifies an answer at the current time, without leeway.
  func read(_ bytes: [UInt8], to query: OCSPQuery) throws -> OCSPAnswer {
    try query.answer(from: bytes, at: Self.now, leeway: 0)
  }
}
