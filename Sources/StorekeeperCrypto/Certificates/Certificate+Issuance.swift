internal import CStorekeeperOpenSSL

extension Certificate {
  /// A reason why a certificate does not count as issued by another.
  package enum IssuanceFailure: Error, Hashable, Sendable {
    case issuerName
    case signature
    case notAnAuthority
    case keyUsage
    /// Any other reason, as OpenSSL's code (`X509_V_ERR_…`).
    case other(Int)

    fileprivate init(_ code: Int32) {
      self = .other(Int(code))
    }
  }

  /// The treatment of a certificate's signature.
  package enum SignatureCheck: Hashable, Sendable {
    case verified
    /// The signature is known to be valid, because the certificate is built in.
    case known
  }

  /// Checks that `issuer`, which is trusted, issued this certificate (RFC 5280 section 6.1.3).
  ///
  /// This makes all checks of OpenSSL's X509_verify_cert for a chain of these two, at one of
  /// OpenSSL's security levels (SSL_CTX_set_security_level(3)). *Not* checked: the validity
  /// periods, path lengths above the issuer, and critical extensions; see ``validity``,
  /// ``pathLength`` and ``unknownCriticalExtension(besides:)``.
  package func checkIssued(
    by issuer: Certificate, securityLevel: Int = 2, signature: SignatureCheck = .verified
  ) throws(IssuanceFailure) {
    guard names(asIssuer: issuer) else { throw .issuerName }
    guard issuer.isAuthority else { throw .notAnAuthority }
    guard issuer.maySignCertificates else { throw .keyUsage }
    let leastBits = Self.leastSecurityBits(securityLevel)
    guard let key = publicKey, leastBits.map({ key.securityBits >= $0 }) ?? true else {
      throw IssuanceFailure(X509_V_ERR_EE_KEY_TOO_SMALL)
    }
    let algorithm = SignatureAlgorithm(der[outline.signedAlgorithm])
    guard facts.areWellFormed, issuer.facts.areWellFormed, identifies(issuer),
      let issuerKey = issuer.publicKey, algorithm.map(issuerKey.fits) ?? true
    else { throw IssuanceFailure(X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY) }
    guard let algorithm else { throw IssuanceFailure(X509_V_ERR_UNSUPPORTED_SIGNATURE_ALGORITHM) }
    // A self-signed certificate has no other issuer.
    guard !isSelfSigned(algorithm) || der == issuer.der else {
      throw IssuanceFailure(X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT)
    }
    guard !facts.isProxy, !issuer.facts.isProxy else {
      throw IssuanceFailure(X509_V_ERR_PROXY_CERTIFICATES_NOT_ALLOWED)
    }
    guard key.hasNamedCurve, issuerKey.hasNamedCurve else {
      throw IssuanceFailure(X509_V_ERR_EC_KEY_EXPLICIT_PARAMS)
    }
    if let leastBits {
      guard issuerKey.securityBits >= leastBits else {
        throw IssuanceFailure(X509_V_ERR_CA_KEY_TOO_SMALL)
      }
      guard algorithm.digest.securityBits >= leastBits else {
        throw IssuanceFailure(X509_V_ERR_CA_MD_TOO_WEAK)
      }
    }
    if signature == .verified { try checkSignature(algorithm, by: issuerKey) }
    // Assigned resources would have to be within the issuer's; Apple assigns none.
    guard !facts.assignsResources, !issuer.facts.assignsResources else {
      throw IssuanceFailure(X509_V_ERR_UNNESTED_RESOURCE)
    }
  }

  /// Checks the signature over the exact bytes of the signed part.
  private func checkSignature(
    _ algorithm: SignatureAlgorithm, by key: PublicKey
  ) throws(IssuanceFailure) {
    guard der[outline.algorithm].elementsEqual(der[outline.signedAlgorithm]),
      outline.signature.unusedBits == 0,
      key.isValid(
        signature: der[outline.signature.octets], of: der[outline.signedPart],
        digest: algorithm.digest)
    else { throw .signature }
  }

  /// Returns whether the issuer fits the authority key identifier, if there is one (section
  /// 4.2.1.1).
  private func identifies(_ issuer: Certificate) -> Bool {
    switch facts.authorityKeyIdentifier {
    case nil: return true
    case .key(let identifier):
      guard let found = issuer.facts.subjectKeyIdentifier else { return true }
      return der[identifier].elementsEqual(issuer.der[found])
    case .other(let range):
      let bytes = Array(der[range])
      var position: UnsafePointer<UInt8>?
      return unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe position = buffer.baseAddress
        guard let identifier = unsafe d2i_AUTHORITY_KEYID(nil, &position, buffer.count),
          let issuer = unsafe issuer.handle
        else { return false }
        defer { unsafe AUTHORITY_KEYID_free(identifier) }
        return unsafe X509_check_akid(issuer, identifier) == X509_V_OK
      }
    }
  }

  /// Returns whether this certificate names itself as its issuer, and everything else agrees.
  private func isSelfSigned(_ algorithm: SignatureAlgorithm) -> Bool {
    publicKey?.fits(algorithm) == true && identifies(self) && names(asIssuer: self)
  }

  /// Returns the minimum security in bits of an OpenSSL security level; nil for none.
  private static func leastSecurityBits(_ level: Int) -> Int? {
    let bits = [80, 112, 128, 192, 256]
    return level <= 0 ? nil : bits[min(level, bits.count) - 1]
  }
}

extension PublicKey {
  /// Returns whether an algorithm uses keys of this kind.
  fileprivate func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    switch algorithm.key {
    case .rsa: isRSA
    case .ellipticCurve: isEllipticCurve
    }
  }
}
