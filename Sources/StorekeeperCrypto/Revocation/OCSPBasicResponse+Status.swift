internal import CStorekeeperOpenSSL

extension OCSPBasicResponse {
  /// Returns the answer about a certificate, if it is current at the given time.
  func answer(
    about certificateID: OCSPCertificateID, at now: Int, leeway: Int
  ) throws(OCSPAnswerFailure) -> OCSPAnswer {
    let single = try status(of: certificateID)
    // The period includes both ends (RFC 6960 section 4.2.2.1). An answer without an end would
    // never expire, so it is refused.
    guard let thisUpdate = single.thisUpdate, let nextUpdate = single.nextUpdate,
      thisUpdate <= nextUpdate, thisUpdate - leeway <= now, now <= nextUpdate + leeway
    else { throw .stale }
    switch single.status {
    case V_OCSP_CERTSTATUS_GOOD: return .good(until: nextUpdate)
    case V_OCSP_CERTSTATUS_REVOKED: return .revoked(until: nextUpdate)
    case V_OCSP_CERTSTATUS_UNKNOWN: return .unknown
    default: throw .malformed
    }
  }

  /// The status of one certificate; times are in seconds since 1970 UTC.
  private struct Single {
    var status: Int32
    var thisUpdate: Int?
    var nextUpdate: Int?
  }

  private func status(
    of certificateID: OCSPCertificateID
  ) throws(OCSPAnswerFailure) -> Single {
    ERR_clear_error()
    defer { ERR_clear_error() }
    let id: OpaquePointer
    do {
      unsafe id = try certificateID.makeHandle()
    } catch {
      throw .otherCertificate
    }
    defer { unsafe OCSP_CERTID_free(id) }
    let index = unsafe OCSP_resp_find(handle, id, -1)
    guard index >= 0, let found = unsafe OCSP_resp_get0(handle, index) else {
      throw .otherCertificate
    }
    // A critical extension of one status counts like one of the whole response.
    guard unsafe OCSP_SINGLERESP_get_ext_by_critical(found, 1, -1) < 0 else { throw .malformed }
    var thisUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var nextUpdate: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    let status = unsafe OCSP_single_get0_status(found, nil, nil, &thisUpdate, &nextUpdate)
    return unsafe Single(
      status: status, thisUpdate: secondsSince1970(thisUpdate),
      nextUpdate: secondsSince1970(nextUpdate))
  }
}

/// Returns an ASN.1 time in seconds since 1970 UTC, or nil if it is malformed.
private func secondsSince1970(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
  guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
  defer { unsafe ASN1_STRING_free(epoch) }
  var days: Int32 = 0
  var seconds: Int32 = 0
  guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
    ERR_clear_error()
    return nil
  }
  return Int(days) * 86_400 + Int(seconds)
}
