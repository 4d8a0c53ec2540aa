internal import CStorekeeperOpenSSL
package import StorekeeperCrypto

/// A builder of certificates for tests, valid or not.
package struct CertificateBuilder: Sendable {
  /// The common name of the subject.
  package var subject: String
  /// The organizational unit of the subject; nil leaves it out.
  package var organizationalUnit: String?
  /// The organization of the subject; nil leaves it out.
  package var organization: String?
  /// The country of the subject, in two letters; nil leaves it out.
  package var country: String?
  package var serialNumber: Int
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
  package var markersAreCritical = false
  /// The URL of the OCSP responder.
  package var revocationResponder: String?
  /// Whether the certificate has the identifiers of its key and of its issuer's, if that has one.
  package var hasKeyIdentifiers = false

  package init(subject: String, serialNumber: Int, validity: Certificate.Validity) {
    self.subject = subject
    self.serialNumber = serialNumber
    self.validity = validity
  }

  /// Returns a certificate for `key`, issued by `issuer`, or self-issued if that is nil, and signed
  /// with `signingKey`: with SHA-384 for a key on P-384, as Apple does, otherwise with SHA-256.
  package func certificate(
    for key: PrivateKey, issuedBy issuer: Certificate?, signedWith signingKey: PrivateKey
  ) throws(OpenSSLFailure) -> Certificate {
    ERR_clear_error()
    guard let certificate = unsafe X509_new() else { throw .taken() }
    defer { unsafe X509_free(certificate) }
    let prepared = unsafe setFields(of: certificate, key: key, issuer: issuer)
    guard prepared else { throw .taken() }
    if version == 3 {
      try unsafe addExtensions(to: certificate)
      if hasKeyIdentifiers { try unsafe addKeyIdentifiers(to: certificate, issuer: issuer) }
    }
    let digest = unsafe Self.digest(for: signingKey)
    guard unsafe X509_sign(certificate, signingKey.handle, digest) > 0 else { throw .taken() }
    let der = try unsafe derBytes { unsafe i2d_X509(certificate, $0) }
    guard let parsed = Certificate(der: der) else { throw .taken() }
    return parsed
  }

  private static func digest(for key: PrivateKey) -> OpaquePointer? {
    let type = unsafe EVP_PKEY_get_base_id(key.handle)
    let isOnP384 = unsafe type == NID_X9_62_id_ecPublicKey && EVP_PKEY_get_bits(key.handle) == 384
    return unsafe isOnP384 ? EVP_sha384() : EVP_sha256()
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
    // The order of Apple's names.
    let parts = [("CN", subject), ("OU", organizationalUnit), ("O", organization), ("C", country)]
    for case (let type, let text?) in parts {
      let added = unsafe X509_NAME_add_entry_by_txt(
        name, type, MBSTRING_UTF8, text, Int32(text.utf8.count), -1, 0)
      guard added == 1 else { return false }
    }
    let issuerName = unsafe issuer.flatMap { unsafe X509_get_subject_name($0.handle) } ?? name
    return unsafe X509_set_issuer_name(certificate, issuerName) == 1
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

  private func addMarker(_ type: String, to certificate: OpaquePointer) throws(OpenSSLFailure) {
    guard let object = unsafe OBJ_txt2obj(type, 1) else { throw .taken() }
    defer { unsafe ASN1_OBJECT_free(object) }
    try unsafe add(object, isCritical: markersAreCritical, value: [0x05, 0x00], to: certificate)
  }

  /// Adds the identifier of the certified key and that of the issuer's (RFC 5280 sections 4.2.1.2
  /// and 4.2.1.1).
  private func addKeyIdentifiers(
    to certificate: OpaquePointer, issuer: Certificate?
  ) throws(OpenSSLFailure) {
    var identifier = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let isMade = unsafe X509_pubkey_digest(certificate, EVP_sha1(), &identifier, &count) == 1
    guard isMade, let type = unsafe OBJ_nid2obj(NID_subject_key_identifier) else { throw .taken() }
    identifier = Array(identifier.prefix(Int(count)))
    // An OCTET STRING.
    let octets: [UInt8] = [0x04, UInt8(identifier.count)] + identifier
    try unsafe add(type, isCritical: false, value: octets, to: certificate)
    guard let issuer, let known = unsafe X509_get0_subject_key_id(issuer.handle) else { return }
    let bytes = unsafe UnsafeBufferPointer(
      start: ASN1_STRING_get0_data(known), count: Int(ASN1_STRING_length(known)))
    let issuerIdentifier = unsafe Array(bytes)
    guard let type = unsafe OBJ_nid2obj(NID_authority_key_identifier) else { throw .taken() }
    // A SEQUENCE with the key identifier only, under the tag [0].
    let length = UInt8(issuerIdentifier.count)
    try unsafe add(
      type, isCritical: false, value: [0x30, length + 2, 0x80, length] + issuerIdentifier,
      to: certificate)
  }

  /// Adds an extension with a value in DER.
  private func add(
    _ type: OpaquePointer, isCritical: Bool, value: [UInt8], to certificate: OpaquePointer
  ) throws(OpenSSLFailure) {
    guard let octets = unsafe ASN1_OCTET_STRING_new() else { throw .taken() }
    defer { unsafe ASN1_OCTET_STRING_free(octets) }
    guard unsafe ASN1_OCTET_STRING_set(octets, value, Int32(value.count)) == 1,
      let made = unsafe X509_EXTENSION_create_by_OBJ(nil, type, isCritical ? 1 : 0, octets)
    else { throw .taken() }
    defer { unsafe X509_EXTENSION_free(made) }
    guard unsafe X509_add_ext(certificate, made, -1) == 1 else { throw .taken() }
  }
}
