internal import StorekeeperLocks
package import StorekeeperCrypto

/// A root certificate at which chains must end.
///
/// Source: `Documentation/rules/app-store-rules.md`.
public struct TrustAnchor: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case fingerprint(PinnedRoot)
    case certificate(AnchorCertificate)
  }

  package let kind: Kind

  /// A reason why something is not a trust anchor.
  @nonexhaustive
  public enum Failure: Error, Hashable, Sendable {
    /// The bytes are not exactly one X.509 certificate, in DER or in PEM.
    case notACertificate
    /// The certificate is not a certificate authority (basicConstraints, RFC 5280 section 4.2.1.9).
    case notACertificateAuthority
    /// A SHA-256 fingerprint has 32 bytes, not this many.
    case fingerprintLength(Int)
  }

  /// Creates an anchor from a root certificate, in DER or in PEM.
  ///
  /// Chains are built to this certificate: the third certificate of a token is ignored, and a
  /// receipt need not embed the root. Its validity is checked with each token or receipt, not here.
  public init(certificate bytes: [UInt8]) throws(Failure) {
    guard let certificate = Certificate(der: PEM.content(of: bytes) ?? bytes) else {
      throw .notACertificate
    }
    guard certificate.isAuthority else { throw .notACertificateAuthority }
    kind = .certificate(AnchorCertificate(certificate: certificate))
  }

  /// Creates an anchor from the SHA-256 digest of a root certificate in DER.
  ///
  /// The root itself must arrive as the third certificate of a token, or among those of a receipt.
  public init(sha256 fingerprint: [UInt8]) throws(Failure) {
    guard fingerprint.count == SHA256.byteCount else {
      throw .fingerprintLength(fingerprint.count)
    }
    kind = .fingerprint(PinnedRoot(fingerprint: fingerprint))
  }

  private init(known fingerprint: [UInt8]) {
    kind = .fingerprint(PinnedRoot(fingerprint: fingerprint))
  }

  /// Apple Root CA - G3, which expires on 2039-04-30; the root of everything that Apple signs as a
  /// JWS.
  ///
  /// Source: Apple's certificate authority page; SHA-256
  /// `63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179`.
  public static let appleRootCAG3 = TrustAnchor(known: [
    0x63, 0x34, 0x3a, 0xbf, 0xb8, 0x9a, 0x6a, 0x03, 0xeb, 0xb5, 0x7e, 0x9b, 0x3f, 0x5f, 0xa7, 0xbe,
    0x7c, 0x4f, 0x5c, 0x75, 0x6f, 0x30, 0x17, 0xb3, 0xa8, 0xc4, 0x88, 0xc3, 0x65, 0x3e, 0x91, 0x79,
  ])

  /// Apple Root CA of 2006, which expires on 2035-02-09; the root of every app receipt.
  ///
  /// Source: Apple's certificate authority page; SHA-256
  /// `b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024`.
  public static let appleRootCA = TrustAnchor(known: [
    0xb0, 0xb1, 0x73, 0x0e, 0xcb, 0xc7, 0xff, 0x45, 0x05, 0x14, 0x2c, 0x49, 0xf1, 0x29, 0x5e, 0x6e,
    0xda, 0x6b, 0xca, 0xed, 0x7e, 0x2c, 0x68, 0xc5, 0xbe, 0x91, 0xb5, 0xa1, 0x10, 0x01, 0xf0, 0x24,
  ])

  /// Apple Root CA - G2, which expires on 2039-04-30; not known to be the root of any App Store
  /// data.
  ///
  /// Source: Apple's certificate authority page; SHA-256
  /// `c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050`.
  public static let appleRootCAG2 = TrustAnchor(known: [
    0xc2, 0xb9, 0xb0, 0x42, 0xdd, 0x57, 0x83, 0x0e, 0x7d, 0x11, 0x7d, 0xac, 0x55, 0xac, 0x8a, 0xe1,
    0x94, 0x07, 0xd3, 0x8e, 0x41, 0xd8, 0x8f, 0x32, 0x15, 0xbc, 0x3a, 0x89, 0x04, 0x44, 0xa0, 0x50,
  ])
}

/// The root certificate with a given fingerprint, kept once a token has presented it.
///
/// Only one certificate has the fingerprint, so it is parsed once: with OpenSSL 3.0, parsing takes
/// a fifth of the time of a P-384 verification.
package final class PinnedRoot: Hashable, Sendable {
  let fingerprint: [UInt8]
  private let certificate = Locked<Certificate?>(nil)

  init(fingerprint: [UInt8]) {
    self.fingerprint = fingerprint
  }

  /// Returns whether a fingerprint is this root's.
  func isNamed(by fingerprint: [UInt8]) -> Bool { fingerprint == self.fingerprint }

  /// The root; nil as long as no token has presented it.
  var seen: Certificate? { certificate.withLock { $0 } }

  /// Returns the root if these bytes have its fingerprint, otherwise nil.
  func certificate(
    der: [UInt8], sha256 fingerprint: [UInt8]
  ) throws(ChainFault) -> Certificate? {
    guard isNamed(by: fingerprint) else { return nil }
    if let known = certificate.withLock({ $0 }) { return known }
    guard let read = Certificate(der: der) else { throw .certificateMalformed(2) }
    certificate.withLock { $0 = read }
    return read
  }

  package static func == (left: PinnedRoot, right: PinnedRoot) -> Bool {
    left.fingerprint == right.fingerprint
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(fingerprint)
  }
}

/// A certificate that is compared by its bytes.
package struct AnchorCertificate: Hashable, Sendable {
  package let certificate: Certificate

  package static func == (left: AnchorCertificate, right: AnchorCertificate) -> Bool {
    left.certificate.der == right.certificate.der
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(certificate.der)
  }
}

/// The textual encoding of certificates (RFC 7468).
enum PEM {
  /// Returns the DER inside a text of exactly one certificate, or nil for any other bytes.
  static func content(of bytes: [UInt8]) -> [UInt8]? {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    guard lines.first.map({ $0.elementsEqual("-----BEGIN CERTIFICATE-----".utf8) }) == true,
      lines.last.map({ $0.elementsEqual("-----END CERTIFICATE-----".utf8) }) == true
    else { return nil }
    let text = Array(lines.dropFirst().dropLast().joined())
    return Base64.decode(text[...], .standard)
  }
}
