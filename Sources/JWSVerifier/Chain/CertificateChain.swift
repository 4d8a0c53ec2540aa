package import StorekeeperCrypto

/// A chain of three certificates that a ``ChainVerifier`` verified.
package final class CertificateChain: Sendable {
  package let leaf: Certificate
  package let intermediate: Certificate
  package let anchor: Certificate

  package init(leaf: Certificate, intermediate: Certificate, anchor: Certificate) {
    self.leaf = leaf
    self.intermediate = intermediate
    self.anchor = anchor
  }

  /// Returns whether a certificate is one of the three.
  package func contains(_ certificate: Certificate) -> Bool {
    [leaf, intermediate, anchor].contains { $0.der == certificate.der }
  }

  /// The period in which all three are valid.
  package var validity: Certificate.Validity {
    leaf.validity.intersection(intermediate.validity).intersection(anchor.validity)
  }
}
