internal import StorekeeperCrypto

/// A certificate and its issuer from a verified chain: the subject of a revocation check.
struct IssuedCertificate: Hashable, Sendable {
  let certificate: Certificate
  let issuer: Certificate

  static func == (one: IssuedCertificate, other: IssuedCertificate) -> Bool {
    one.certificate.der == other.certificate.der && one.issuer.der == other.issuer.der
  }

  func hash(into hasher: inout Hasher) {
    // The end of the signature, which differs between certificates.
    hasher.combine(certificate.der.suffix(32))
  }

  /// The first responder with an http or https address, or nil.
  var responder: String? {
    certificate.revocationResponders.first { address in
      ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
        && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }
}

extension CertificateChain {
  /// The certificates that can be checked: the leaf, then the intermediate.
  var revocable: [IssuedCertificate] {
    [
      IssuedCertificate(certificate: leaf, issuer: intermediate),
      IssuedCertificate(certificate: intermediate, issuer: anchor),
    ]
  }
}
