internal import CStorekeeperOpenSSL
package import StorekeeperCrypto

/// A builder of certificates for tests, valid or not.
package struct CertificateBuilder: Sendable {
  /// The common name of the subject.
  package var subject: String
  /// The serial number.
  package var serialNumber: Int
  /// The validity period.
  package var validity: Certificate.Validity
  /// The X.509 version, 1 or 3; version 1 has no extensions.
  package var version = 3
  /// CA:TRUE, CA:FALSE, or nil for no basicConstraints.
  package var isAuthority: Bool?
  /// The maximum number of authorities below, or nil for any number.
  package var pathLength: Int?
  /// The value of keyUsage in OpenSSL's syntax, such as `keyCertSign`; nil leaves it out.
  package var keyUsage: String?
  /// Whether the certificate may sign OCSP answers (RFC 6960 section 4.2.2.2).
  package var mayAnswerRevocation = false
  /// The types of the extensions to add with the value NULL.
  package var markers: [String] = []
  /// Whether ``markers`` are critical.
  package var markersAreCritical = false
  /// The URL of the OCSP responder.
  package var revocationResponder: String?

  package init(subject: String, serialNumber: Int, validity: Certificate.Validity) {
    self.subject = subject
    self.serialNumber = serialNumber
    self.validity = validity
  }

  /// Returns a certificate for `key`, issued by `issuer`, or self-issued if that is nil, and signed
  /// with `signingKey`.
  package func certificate(
    for key: PrivateKey, issuedBy issuer: Certificate?, signedWith signingKey: PrivateKey
  ) throws(OpenSSLFailure) -> Certificate {
    ERR_clear_error()
    guard let certificate = unsafe X509_new() else { throw .taken() }
    defer { unsafe X509_free(certificate) }
    let prepared = unsafe setFields(of: certificate, key: key, issuer: issuer)
    guard prepared else { throw .taken() }
    if version == 3 { try unsafe addExtensions(to: certificate) }
    guard unsafe X509_sign(certificate, signingKey.handle, EVP_sha256()) > 0 else {
      throw .taken()
    }
    let der = try unsafe derBytes { unsafe i2d_X509(certificate, $0) }
    guard let parsed = Certificate(der: der) else { throw .taken() }
    return parsed
  }

  private func setFields(
    of certificate: OpaquePointer, key: PrivateKey, issuer: Certificate?
  ) -> Bool {
    guard unsafe X509_set_version(certificate, version - 1) == 1,
      unsafe ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), Int64(serialNumber)) == 1,
      unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), validity.notBefore) != nil,
      unsafe ASN1_TIME_set(X509_getm_notAfter(certificate), validity.notAfter) != nil,
      unsafe X509_set_pubkey(certificate, key.handle) == 1,
      let name = unsafe X509_get_subject_name(certificate)
    else { return false }
    let named = unsafe X509_NAME_add_entry_by_txt(
      name, "CN", MBSTRING_UTF8, subject, Int32(subject.utf8.count), -1, 0)
    let issuerName = unsafe issuer.flatMap { unsafe X509_get_subject_name($0.handle) } ?? name
    return unsafe named == 1 && X509_set_issuer_name(certificate, issuerName) == 1
  }

  private func addExtensions(to certificate: OpaquePointer) throws(OpenSSLFailure) {
    if let isAuthority {
      let length = pathLength.map { ",pathlen:\($0)" } ?? ""
      try unsafe add(
        NID_basic_constraints, "critical,CA:\(isAuthority ? "TRUE" : "FALSE")\(length)",
        to: certificate)
    }
    if let keyUsage { try unsafe add(NID_key_usage, "critical,\(keyUsage)", to: certificate) }
    if mayAnswerRevocation { try unsafe add(NID_ext_key_usage, "OCSPSigning", to: certificate) }
    if let revocationResponder {
      try unsafe add(NID_info_access, "OCSP;URI:\(revocationResponder)", to: certificate)
    }
    for marker in markers { try unsafe addMarker(marker, to: certificate) }
  }

  private func add(
    _ type: Int32, _ value: String, to certificate: OpaquePointer
  ) throws(OpenSSLFailure) {
    guard let made = unsafe X509V3_EXT_conf_nid(nil, nil, type, value) else { throw .taken() }
    defer { unsafe X509_EXTENSION_free(made) }
    guard unsafe X509_add_ext(certificate, made, -1) == 1 else { throw .taken() }
  }

  private func addMarker(
    _ type: String, to certificate: OpaquePointer
  ) throws(OpenSSLFailure) {
    guard let object = unsafe OBJ_txt2obj(type, 1) else { throw .taken() }
    defer { unsafe ASN1_OBJECT_free(object) }
    guard let null = unsafe ASN1_OCTET_STRING_new() else { throw .taken() }
    defer { unsafe ASN1_OCTET_STRING_free(null) }
    guard unsafe ASN1_OCTET_STRING_set(null, [0x05, 0x00], 2) == 1,
      let made = unsafe X509_EXTENSION_create_by_OBJ(
        nil, object, markersAreCritical ? 1 : 0, null)
    else { throw .taken() }
    defer { unsafe X509_EXTENSION_free(made) }
    guard unsafe X509_add_ext(certificate, made, -1) == 1 else { throw .taken() }
  }
}
