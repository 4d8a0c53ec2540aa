internal import CStorekeeperOpenSSL
package import StorekeeperCrypto

/// A builder of OCSP answers for tests, valid or not.
package struct OCSPAnswerBuilder: Sendable {
  /// The status of a certificate; times are in seconds since 1970 UTC.
  package enum Status: Hashable, Sendable {
    case good
    case revoked(at: Int)
    case unknown
  }

  /// The nonce of an answer.
  package enum Nonce: Hashable, Sendable {
    /// The nonce of the query, if it has one.
    case echoed
    case absent
    case other([UInt8])
  }

  /// The digest of the signature.
  package enum Digest: Hashable, Sendable {
    case sha1, sha256, sha384
  }

  /// The position of an unknown critical extension (RFC 6960 section 4.4).
  package enum CriticalExtension: Hashable, Sendable {
    case ofResponse
    case ofStatus
  }

  package var status = Status.good
  /// The start of the answer's period, in seconds since 1970 UTC.
  package var thisUpdate: Int
  /// The end of the answer's period, in seconds since 1970 UTC, or nil to leave it out.
  package var nextUpdate: Int?
  package var nonce = Nonce.echoed
  /// The certificate to answer about, or nil for that of the query.
  package var certificateID: OCSPCertificateID?
  /// Whether the signer's certificate is included.
  package var includesSigner = true
  /// Further included certificates.
  package var companions: [Certificate] = []
  package var digest = Digest.sha256
  /// The position of an unknown critical extension, or nil for none.
  package var criticalExtension: CriticalExtension?

  package init(thisUpdate: Int, nextUpdate: Int?) {
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
  }

  /// Returns an error response, such as try later (3).
  package static func declined(status: Int) throws(OpenSSLFailure) -> [UInt8] {
    try unsafe response(status: Int32(status), nil)
  }

  /// Returns a signed answer to a query.
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
    // OpenSSL copies the identifier and the times.
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

  /// Creates an extension of an unknown type, and adds it with a closure; OpenSSL copies it.
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

/// A query, as parsed by a responder in tests.
package struct OCSPReceivedQuery: Hashable, Sendable {
  package let certificateID: OCSPCertificateID
  /// The nonce, if any.
  package let nonce: [UInt8]?

  /// Parses a query about one certificate, in DER; nil for anything else.
  package init?(der: [UInt8]) {
    let parsed = unsafe parsedDER(der, free: { unsafe OCSP_REQUEST_free($0) }) { position, count in
      unsafe d2i_OCSP_REQUEST(nil, position, count)
    }
    guard let request = unsafe parsed else { return nil }
    defer { unsafe OCSP_REQUEST_free(request) }
    guard unsafe OCSP_request_onereq_count(request) == 1,
      let id = unsafe OCSP_onereq_get0_id(OCSP_request_onereq_get0(request, 0)),
      let certificateID = try? unsafe OCSPCertificateID(copying: id)
    else { return nil }
    self.certificateID = certificateID
    let place = unsafe OCSP_REQUEST_get_ext_by_NID(request, NID_id_pkix_OCSP_Nonce, -1)
    nonce = place < 0 ? nil : unsafe ocspNonce(in: OCSP_REQUEST_get_ext(request, place))
  }
}
