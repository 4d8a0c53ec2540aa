internal import CStorekeeperOpenSSL

/// Makes answers of a responder for tests: whatever is asked for, right or wrong.
package struct OCSPAnswerBuilder: Sendable {
  /// What a certificate's status can be; times in seconds since 1970 UTC.
  package enum Status: Hashable, Sendable {
    case good
    case revoked(at: Int)
    case unknown
  }

  /// Which nonce the answer carries.
  package enum Nonce: Hashable, Sendable {
    /// That of the query, if it has one.
    case echoed
    case absent
    case other([UInt8])
  }

  /// With what digest the answer is signed.
  package enum Digest: Hashable, Sendable {
    case sha1, sha256, sha384
  }

  /// Where the answer has an extension that nobody knows and everybody must (RFC 6960 section 4.4).
  package enum CriticalExtension: Hashable, Sendable {
    case ofResponse
    case ofStatus
  }

  /// The status of the certificate.
  package var status = Status.good
  /// From when it holds, in seconds since 1970 UTC.
  package var thisUpdate: Int
  /// Until when it holds, or nil to leave that out.
  package var nextUpdate: Int?
  /// The nonce.
  package var nonce = Nonce.echoed
  /// The certificate to answer about; nil takes the one that was asked about.
  package var certificateID: OCSPCertificateID?
  /// Whether the signer's certificate comes with the answer.
  package var includesSigner = true
  /// Certificates that come with the answer besides.
  package var companions: [Certificate] = []
  /// The digest.
  package var digest = Digest.sha256
  /// Where there is a critical extension; nil adds none.
  package var criticalExtension: CriticalExtension?

  package init(thisUpdate: Int, nextUpdate: Int?) {
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
  }

  /// An answer without content, such as try later (3).
  package static func declined(status: Int) throws(OpenSSLFailure) -> [UInt8] {
    try unsafe response(status: Int32(status), nil)
  }

  /// A signed answer to a query.
  package func answer(
    to query: OCSPReceivedQuery, signedBy signer: Certificate, key: PrivateKey
  ) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    guard let basic = unsafe OCSP_BASICRESP_new() else { throw .taken() }
    defer { unsafe OCSP_BASICRESP_free(basic) }
    try unsafe addStatus(of: certificateID ?? query.certificateID, to: basic)
    try unsafe addNonce(askedWith: query.nonce, to: basic)
    guard let certificates = unsafe copenssl_certificates_new() else { throw .taken() }
    defer { unsafe copenssl_certificates_free(certificates) }
    for companion in companions {
      guard let handle = unsafe companion.handle,
        unsafe copenssl_certificates_push(certificates, handle) > 0
      else { throw .taken() }
    }
    let flags = UInt(OCSP_NOTIME | (includesSigner ? 0 : OCSP_NOCERTS))
    guard unsafe copenssl_ocsp_set_produced_at(basic, thisUpdate) == 1,
      unsafe OCSP_basic_sign(
        basic, signer.handle, key.handle, digestMethod, certificates, flags) == 1
    else { throw .taken() }
    return try unsafe Self.response(status: OCSP_RESPONSE_STATUS_SUCCESSFUL, basic)
  }

  private static func response(
    status: Int32, _ basic: OpaquePointer?
  ) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    guard let response = unsafe OCSP_response_create(status, basic) else { throw .taken() }
    defer { unsafe OCSP_RESPONSE_free(response) }
    return try unsafe derBytes { unsafe i2d_OCSP_RESPONSE(response, $0) }
  }

  private var digestMethod: OpaquePointer? {
    switch digest {
    case .sha1: unsafe EVP_sha1()
    case .sha256: unsafe EVP_sha256()
    case .sha384: unsafe EVP_sha384()
    }
  }

  private func addStatus(
    of certificateID: OCSPCertificateID, to basic: OpaquePointer
  ) throws(OpenSSLFailure) {
    // OpenSSL copies the id and the times.
    let id = try unsafe certificateID.makeHandle()
    defer { unsafe OCSP_CERTID_free(id) }
    let begin = unsafe ASN1_GENERALIZEDTIME_set(nil, thisUpdate)
    let end = unsafe nextUpdate.flatMap { unsafe ASN1_GENERALIZEDTIME_set(nil, $0) }
    defer {
      unsafe ASN1_GENERALIZEDTIME_free(begin)
      unsafe ASN1_GENERALIZEDTIME_free(end)
    }
    let (code, revocation) =
      switch status {
      case .good: (V_OCSP_CERTSTATUS_GOOD, nil as Int?)
      case .unknown: (V_OCSP_CERTSTATUS_UNKNOWN, nil)
      case .revoked(let moment): (V_OCSP_CERTSTATUS_REVOKED, moment)
      }
    let revoked = unsafe revocation.flatMap { unsafe ASN1_GENERALIZEDTIME_set(nil, $0) }
    defer { unsafe ASN1_GENERALIZEDTIME_free(revoked) }
    let added = unsafe OCSP_basic_add1_status(
      basic, id, code, OCSP_REVOKED_STATUS_NOSTATUS, revoked, begin, end)
    guard let added = unsafe added else { throw .taken() }
    try unsafe addExtension { extra in
      switch criticalExtension {
      case .ofResponse: unsafe OCSP_BASICRESP_add_ext(basic, extra, -1)
      case .ofStatus: unsafe OCSP_SINGLERESP_add_ext(added, extra, -1)
      case nil: 1
      }
    }
  }

  /// Makes an extension of a type that nobody knows, and lets it be added; OpenSSL copies it.
  private func addExtension(_ add: (OpaquePointer) -> Int32) throws(OpenSSLFailure) {
    guard let object = unsafe OBJ_txt2obj("1.2.3.4", 1) else { throw .taken() }
    defer { unsafe ASN1_OBJECT_free(object) }
    guard let value = unsafe ASN1_OCTET_STRING_new() else { throw .taken() }
    defer { unsafe ASN1_OCTET_STRING_free(value) }
    guard let extra = unsafe X509_EXTENSION_create_by_OBJ(nil, object, 1, value) else {
      throw .taken()
    }
    defer { unsafe X509_EXTENSION_free(extra) }
    guard unsafe add(extra) == 1 else { throw .taken() }
  }

  private func addNonce(
    askedWith asked: [UInt8]?, to basic: OpaquePointer
  ) throws(OpenSSLFailure) {
    let bytes: [UInt8]? =
      switch nonce {
      case .echoed: asked
      case .absent: nil
      case .other(let other): other
      }
    guard var bytes else { return }
    guard unsafe OCSP_basic_add1_nonce(basic, &bytes, Int32(bytes.count)) == 1 else {
      throw .taken()
    }
  }
}
