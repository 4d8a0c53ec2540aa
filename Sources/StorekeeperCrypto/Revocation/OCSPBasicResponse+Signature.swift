internal import CStorekeeperOpenSSL

extension OCSPBasicResponse {
  /// Checks that the issuer signed the response, or a delegate that the issuer itself certified for
  /// that (RFC 6960 sections 3.2 and 4.2.2.2).
  ///
  /// Only the issuer is trusted. The system's store and the certificates inside the response are
  /// ignored, except the signer's own. Both must be valid at the given time.
  func checkSignature(of issuer: Certificate, at now: Int) throws(OCSPAnswerFailure) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard isSignedWithSHA2, let trusted = unsafe issuer.handle,
      let known = unsafe copenssl_certificates_new()
    else { throw .notAuthorized }
    defer { unsafe copenssl_certificates_free(known) }
    guard unsafe copenssl_certificates_push(known, trusted) > 0,
      let store = unsafe X509_STORE_new()
    else { throw .notAuthorized }
    defer { unsafe X509_STORE_free(store) }
    guard unsafe X509_STORE_add_cert(store, trusted) == 1,
      let parameters = unsafe X509_STORE_get0_param(store)
    else { throw .notAuthorized }
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
    // Validity periods are checked below, because OpenSSL excludes the last second, and so are a
    // delegate's critical extensions, because the issuer's may be a marker of Apple's.
    let judgedHere = UInt(X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_IGNORE_CRITICAL)
    unsafe X509_VERIFY_PARAM_set_flags(parameters, judgedHere)
    // The issuer is trusted even if it is not a root. NOCHAIN: nothing comes between issuer and
    // delegate. NOEXPLICIT: trust for another purpose does not authorize a responder.
    let flags = UInt(OCSP_PARTIAL_CHAIN | OCSP_NOCHAIN | OCSP_NOEXPLICIT)
    guard unsafe OCSP_basic_verify(handle, known, store, flags) == 1,
      issuer.validity.contains(Double(now)),
      unsafe isSignerFit(issuer: issuer, known: known, at: now)
    else { throw .notAuthorized }
  }

  /// Whether the digest belongs to SHA-2.
  ///
  /// OpenSSL's security level covers the certificates, but not the signature of the response.
  private var isSignedWithSHA2: Bool {
    var object: OpaquePointer?
    unsafe X509_ALGOR_get0(&object, nil, nil, OCSP_resp_get0_tbs_sigalg(handle))
    var digest: Int32 = 0
    guard unsafe OBJ_find_sigid_algs(OBJ_obj2nid(object), &digest, nil) == 1 else { return false }
    return [NID_sha256, NID_sha384, NID_sha512].contains(digest)
  }

  /// Returns whether the signer is the issuer, or is valid and has no unknown critical extension
  /// (RFC 5280 section 4.2).
  private func isSignerFit(issuer: Certificate, known: OpaquePointer, at now: Int) -> Bool {
    var signer: OpaquePointer?
    guard unsafe OCSP_resp_get0_signer(handle, &signer, known) == 1,
      let der = try? unsafe derBytes({ unsafe i2d_X509(signer, $0) })
    else { return false }
    if der == issuer.der { return true }
    guard let delegate = Certificate(der: der) else { return false }
    // "No check" exempts the delegate from revocation checks, which are not made here anyway
    // (RFC 6960 section 4.2.2.2.1).
    let noCheck = "1.3.6.1.5.5.7.48.1.5"
    return delegate.validity.contains(Double(now))
      && delegate.unknownCriticalExtension(besides: [noCheck]) == nil
  }
}
