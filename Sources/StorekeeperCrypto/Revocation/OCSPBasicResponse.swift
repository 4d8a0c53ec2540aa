internal import CStorekeeperOpenSSL

/// A basic OCSP response (RFC 6960 section 4.2.1), which is untrusted before
/// ``checkSignature(of:at:)``.
@safe
struct OCSPBasicResponse: ~Copyable {
  let handle: OpaquePointer

  /// Parses a successful OCSPResponse in DER that fills the bytes.
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

  /// Returns whether the basic response ends the whole.
  ///
  /// OpenSSL parses it from an OCTET STRING and ignores trailing bytes inside.
  private static func ends(_ der: [UInt8], with basic: OpaquePointer) -> Bool {
    guard let bytes = try? unsafe derBytes({ unsafe i2d_OCSP_BASICRESP(basic, $0) }) else {
      return false
    }
    return der.suffix(bytes.count).elementsEqual(bytes)
  }

  /// Whether there is a critical extension other than the nonce, the only supported one (RFC 6960
  /// section 4.4).
  var demandsUnknown: Bool {
    var index = unsafe OCSP_BASICRESP_get_ext_by_critical(handle, 1, -1)
    let nonce = unsafe OCSP_BASICRESP_get_ext_by_NID(handle, NID_id_pkix_OCSP_Nonce, -1)
    while index >= 0 {
      if index != nonce { return true }
      index = unsafe OCSP_BASICRESP_get_ext_by_critical(handle, 1, index)
    }
    return false
  }

  /// Checks that the response has no nonce, or the sent one (section 4.4.1).
  func checkNonce(_ sent: [UInt8]?) throws(OCSPAnswerFailure) {
    let index = unsafe OCSP_BASICRESP_get_ext_by_NID(handle, NID_id_pkix_OCSP_Nonce, -1)
    guard index >= 0 else { return }
    let found = unsafe ocspNonce(in: OCSP_BASICRESP_get_ext(handle, index))
    guard let sent, found == sent else { throw .otherNonce }
  }
}

/// Returns the nonce in an extension: an OCTET STRING of less than 128 bytes (RFC 9654 section
/// 2.1).
package func ocspNonce(in extension: OpaquePointer?) -> [UInt8]? {
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
