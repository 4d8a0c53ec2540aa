/// A fault in a chain of certificates, whatever kind of data the chain signed.
///
/// An index is the position of a certificate in the chain: 0 for the leaf, 1 for the intermediate,
/// 2 for the root.
@nonexhaustive
public enum ChainFault: Error, Hashable, Sendable {
  /// The certificate at this index is not exactly one X.509 certificate in DER.
  ///
  /// For an app receipt, the index counts the embedded certificates in their order.
  case certificateMalformed(Int)
  case untrustedRoot

  // MARK: A broken chain

  /// The certificate at this index names another issuer than the one that follows.
  case issuerName(Int)
  /// The certificate at this index is not signed by the one that follows.
  case signature(Int)
  /// The certificate at this index has a key that may not sign certificates.
  case keyUsage(Int)
  /// More authorities follow below an authority than it allows.
  case pathLength
  case leafIsAuthority
  /// The certificate at this index has a critical extension of an unknown type.
  case criticalExtension(Int, type: String)
  /// The certificate at this index constrains names, which is not supported. Apple's never do.
  case nameConstraints(Int)
  /// OpenSSL refused the certificate at this index with this code (`X509_V_ERR_…`).
  case refused(Int, code: Int)

  // MARK: A certificate of the wrong kind or time

  /// The certificate at this index issued another, but is not a certificate authority.
  case notACertificateAuthority(Int)
  /// The certificate at this index had expired at the time that the clock policy chose.
  case certificateExpired(Int)
  /// The certificate at this index was not yet valid at the time that the clock policy chose.
  case certificateNotYetValid(Int)
  /// The intermediate lacks the marker extension of Apple's Worldwide Developer Relations
  /// authority.
  case missingIntermediateMarker
  /// The leaf lacks Apple's marker extension for signing App Store data.
  case missingLeafMarker
  /// The leaf has the wrong kind of key: tokens need a key on P-256, receipts an RSA key.
  case unsupportedLeafKey

  /// The name of the fault without its values, for logs, metrics and output that programs read.
  ///
  /// All faults of a broken chain share one name.
  public var name: String {
    switch self {
    case .certificateMalformed: "certificateMalformed"
    case .untrustedRoot: "untrustedRoot"
    case .issuerName, .signature, .keyUsage, .pathLength, .leafIsAuthority, .criticalExtension,
      .nameConstraints, .refused:
      "chainInvalid"
    case .notACertificateAuthority: "notACertificateAuthority"
    case .certificateExpired: "certificateExpired"
    case .certificateNotYetValid: "certificateNotYetValid"
    case .missingIntermediateMarker: "missingIntermediateMarker"
    case .missingLeafMarker: "missingLeafMarker"
    case .unsupportedLeafKey: "unsupportedLeafKey"
    }
  }
}

extension ChainFault: CustomStringConvertible {
  /// A sentence for a log that names the certificate by its index.
  public var description: String {
    switch self {
    case .certificateMalformed(let index):
      "certificate \(index) is not one X.509 certificate in DER"
    case .untrustedRoot: "the chain does not end at a trust anchor"
    case .issuerName(let index): "the chain is broken: certificate \(index) names another issuer"
    case .signature(let index):
      "the chain is broken: certificate \(index) is not signed by the next"
    case .keyUsage(let index):
      "the chain is broken: the key of certificate \(index) may not sign certificates"
    case .pathLength: "the chain is broken: more authorities follow than one allows"
    case .leafIsAuthority: "the chain is broken: the leaf is a certificate authority"
    case .criticalExtension(let index, let type):
      "the chain is broken: certificate \(index) has the unknown critical extension \(type)"
    case .nameConstraints(let index): "the chain is broken: certificate \(index) limits names"
    case .refused(let index, let code):
      "the chain is broken: OpenSSL refused certificate \(index) with \(code)"
    case .notACertificateAuthority(let index):
      "the chain is broken: certificate \(index) is no certificate authority"
    case .certificateExpired(let index): "certificate \(index) had ended"
    case .certificateNotYetValid(let index): "certificate \(index) was not valid yet"
    case .missingIntermediateMarker: "the intermediate lacks Apple's marker extension"
    case .missingLeafMarker: "the leaf lacks Apple's marker extension"
    case .unsupportedLeafKey: "the leaf's key is of an unsupported kind"
    }
  }
}
