internal import StorekeeperCrypto

/// A certificate with the one that issued it, as a verified chain has them; what one asks about.
struct IssuedCertificate: Hashable, Sendable {
  let certificate: Certificate
  let issuer: Certificate

  static func == (one: IssuedCertificate, other: IssuedCertificate) -> Bool {
    one.certificate.der == other.certificate.der && one.issuer.der == other.issuer.der
  }

  func hash(into hasher: inout Hasher) {
    // The end of the signature; no two certificates share it by chance.
    hasher.combine(certificate.der.suffix(32))
  }

  /// The first responder that can be reached by http or https, or nil.
  var responder: String? {
    certificate.revocationResponders.first { address in
      ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
        && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }
}

extension CertificateChain {
  /// The certificates that can be asked about: leaf, then intermediate.
  var revocable: [IssuedCertificate] {
    [
      IssuedCertificate(certificate: leaf, issuer: intermediate),
      IssuedCertificate(certificate: intermediate, issuer: anchor),
    ]
  }
}
