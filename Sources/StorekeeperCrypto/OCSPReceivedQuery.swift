internal import CStorekeeperOpenSSL

/// A query as a responder sees it; made for tests.
package struct OCSPReceivedQuery: Hashable, Sendable {
  /// The certificate that was asked about.
  package let certificateID: OCSPCertificateID
  /// The nonce, if there is one.
  package let nonce: [UInt8]?

  /// Reads a query about one certificate, in DER; nil for anything else.
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
