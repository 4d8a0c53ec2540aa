internal import CStorekeeperOpenSSL

extension Certificate {
  /// Why a certificate does not count as issued by another.
  package enum IssuanceFailure: Error, Hashable, Sendable {
    /// The names do not meet.
    case issuerName
    /// The signature does not fit the issuer's key.
    case signature
    /// The issuer is no certificate authority.
    case notAnAuthority
    /// The issuer's key may not sign certificates.
    case keyUsage
    /// Anything else, by OpenSSL's number (`X509_V_ERR_…`).
    case other(Int)
  }

  /// Checks with OpenSSL that `issuer`, taken as trusted, issued this certificate (RFC 5280
  /// section 6.1.3).
  ///
  /// One signature is verified, at a security level of OpenSSL's (SSL_CTX_set_security_level(3)).
  /// Nothing is looked up: neither the system's store nor its clock take part. *Not* checked: the times of either certificate, path
  /// lengths above the issuer, and critical extensions; see ``validity``, ``pathLength`` and
  /// ``unknownCriticalExtension(besides:)``.
  package func checkIssued(
    by issuer: Certificate, securityLevel: Int = 2
  ) throws(IssuanceFailure) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard names(asIssuer: issuer) else { throw .issuerName }
    guard issuer.isAuthority else { throw .notAnAuthority }
    guard issuer.maySignCertificates else { throw .keyUsage }
    let code = unsafe Self.verificationResult(
      of: handle, trusting: issuer.handle, securityLevel: securityLevel)
    switch code {
    case X509_V_OK: return
    case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY:
      throw .signature
    default: throw .other(Int(code))
    }
  }

  /// Runs X509_verify_cert with one trusted certificate and no others.
  private static func verificationResult(
    of certificate: OpaquePointer, trusting issuer: OpaquePointer, securityLevel: Int
  ) -> Int32 {
    guard let trusted = unsafe copenssl_certificates_new() else { return X509_V_ERR_OUT_OF_MEM }
    defer { unsafe copenssl_certificates_free(trusted) }
    guard unsafe copenssl_certificates_push(trusted, issuer) > 0,
      let context = unsafe X509_STORE_CTX_new()
    else { return X509_V_ERR_OUT_OF_MEM }
    defer { unsafe X509_STORE_CTX_free(context) }
    guard unsafe X509_STORE_CTX_init(context, nil, certificate, nil) == 1,
      let parameters = unsafe X509_STORE_CTX_get0_param(context)
    else { return X509_V_ERR_OUT_OF_MEM }
    unsafe X509_STORE_CTX_set0_trusted_stack(context, trusted)
    // The issuer is trusted whether or not it is a root; the times are ours to judge.
    let flags = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_IGNORE_CRITICAL
    unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(flags))
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, Int32(clamping: securityLevel))
    if unsafe X509_verify_cert(context) == 1 { return X509_V_OK }
    let code = unsafe X509_STORE_CTX_get_error(context)
    return code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code
  }
}
