package import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The shape of a certificate of a ``TestAuthority``.
///
/// The initial values in ``TestAuthority/Shape`` make a chain like Apple's; change one to have the
/// chain refused for that reason.
public struct TestCertificate: Hashable, Sendable {
  public var commonName: String
  /// The organizational unit of the subject, or nil for none.
  public var organizationalUnit: String?
  /// The organization of the subject, or nil for none.
  public var organization: String? = "Storekeeper Tests"
  /// The country of the subject in two letters, or nil for none.
  public var country: String? = "US"
  public var key: Key
  /// The start of the validity period, in whole seconds.
  public var notBefore: Date
  /// The end of the validity period, inclusive, in whole seconds.
  public var notAfter: Date
  /// CA:TRUE, CA:FALSE, or nil for no basicConstraints.
  public var isAuthority: Bool?
  /// The maximum number of authorities below, or nil for any number.
  public var pathLength: Int?
  /// The value of keyUsage in OpenSSL's syntax, or nil for none.
  public var keyUsage: String?
  /// The types, in dotted numbers, of Apple's marker extensions.
  public var markers: [String]
  public var markersAreCritical = false
  /// The X.509 version, 1 or 3; version 1 has no extensions.
  public var version = 3
  /// The URL of the OCSP responder, or nil for none.
  public var revocationResponder: String?
  /// Whether the certificate names its own key and that of its issuer, which strict verifiers demand.
  public var hasKeyIdentifiers = true

  /// A kind of key.
  public enum Key: Hashable, Sendable {
    /// An elliptic-curve key on P-256, as in Apple's leaves.
    case p256
    /// An elliptic-curve key on P-384, as in Apple's authorities.
    case p384
    case rsa2048
  }

  /// Creates the shape of a certificate that is valid from 2015 to 2049.
  public init(
    commonName: String, organizationalUnit: String? = nil, key: Key, isAuthority: Bool?,
    keyUsage: String?, markers: [String] = []
  ) {
    self.commonName = commonName
    self.organizationalUnit = organizationalUnit
    self.key = key
    self.isAuthority = isAuthority
    self.keyUsage = keyUsage
    self.markers = markers
    notBefore = Date(timeIntervalSince1970: 1_420_070_400)
    notAfter = Date(timeIntervalSince1970: 2_524_607_999)
  }

  package func makeKey() throws(OpenSSLFailure) -> PrivateKey {
    switch key {
    case .p256: try PrivateKey(generating: .p256)
    case .p384: try PrivateKey(generating: .p384)
    case .rsa2048: try PrivateKey(generating: .rsa2048)
    }
  }

  package func builder(serialNumber: Int) -> CertificateBuilder {
    var builder = CertificateBuilder(
      subject: commonName, serialNumber: serialNumber,
      validity: Certificate.Validity(
        notBefore: Int(notBefore.timeIntervalSince1970),
        notAfter: Int(notAfter.timeIntervalSince1970)))
    builder.organizationalUnit = organizationalUnit
    builder.organization = organization
    builder.country = country
    builder.version = version
    builder.isAuthority = isAuthority
    builder.pathLength = pathLength
    builder.keyUsage = keyUsage
    builder.markers = markers
    builder.markersAreCritical = markersAreCritical
    builder.revocationResponder = revocationResponder
    builder.hasKeyIdentifiers = hasKeyIdentifiers
    return builder
  }
}
