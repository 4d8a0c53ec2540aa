internal import CStorekeeperOpenSSL

/// A basic OCSP response (RFC 6960 section 4.2.1), parsed; nothing of it is believed before
/// ``checkSignature(of:at:)``.
@safe
struct OCSPBasicResponse: ~Copyable {
  let handle: OpaquePointer

  /// Reads a successful OCSPResponse in DER that fills the bytes.
  init(der: [UInt8]) throws(OCSPAnswerFailure) {
    let parsed = unsafe parsedDER(der, free: { unsafe OCSP_RESPONSE_free($0) }) { position, count in
      unsafe d2i_OCSP_RESPONSE(nil, position, count)
    }
    guard let response = unsafe parsed else { throw .malformed }
    defer { unsafe OCSP_RESPONSE_free(response) }
    let status = unsafe OCSP_response_status(response)
    guard status == OCSP_RESPONSE_STATUS_SUCCESSFUL else { throw .declined(status: Int(status)) }
    guard let basic = unsafe OCSP_response_get1_basic(response) else {
      ERR_clear_error()
      throw .malformed
    }
    guard unsafe Self.ends(der, with: basic) else {
      unsafe OCSP_BASICRESP_free(basic)
      throw .malformed
    }
    unsafe handle = basic
  }

  deinit {
    unsafe OCSP_BASICRESP_free(handle)
  }

  /// Whether the basic response is the end of the whole, where it belongs.
  ///
  /// OpenSSL reads it out of an OCTET STRING and ignores bytes that follow inside.
  private static func ends(_ der: [UInt8], with basic: OpaquePointer) -> Bool {
    guard let bytes = try? unsafe derBytes({ unsafe i2d_OCSP_BASICRESP(basic, $0) }) else {
      return false
    }
    return der.suffix(bytes.count).elementsEqual(bytes)
  }

  /// Whether there is a critical extension besides the nonce, the only one that is understood here
  /// (RFC 6960 section 4.4).
  var demandsUnknown: Bool {
    var place = unsafe OCSP_BASICRESP_get_ext_by_critical(handle, 1, -1)
    let nonce = unsafe OCSP_BASICRESP_get_ext_by_NID(handle, NID_id_pkix_OCSP_Nonce, -1)
    while place >= 0 {
      if place != nonce { return true }
      place = unsafe OCSP_BASICRESP_get_ext_by_critical(handle, 1, place)
    }
    return false
  }

  /// Checks that the response has no nonce, or the one that was sent (section 4.4.1).
  func checkNonce(_ sent: [UInt8]?) throws(OCSPAnswerFailure) {
    let place = unsafe OCSP_BASICRESP_get_ext_by_NID(handle, NID_id_pkix_OCSP_Nonce, -1)
    guard place >= 0 else { return }
    let found = unsafe ocspNonce(in: OCSP_BASICRESP_get_ext(handle, place))
    guard let sent, found == sent else { throw .otherNonce }
  }
}

/// The nonce in an extension: an OCTET STRING of less than 128 bytes (RFC 9654 section 2.1).
func ocspNonce(in extension: OpaquePointer?) -> [UInt8]? {
  guard let value = unsafe X509_EXTENSION_get_data(`extension`),
    let start = unsafe ASN1_STRING_get0_data(value)
  else { return nil }
  let count = Int(unsafe ASN1_STRING_length(value))
  let der = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard der.count >= 2, der[0] == UInt8(V_ASN1_OCTET_STRING), der[1] < 0x80,
    Int(der[1]) == der.count - 2
  else { return nil }
  return Array(der[2...])
}
