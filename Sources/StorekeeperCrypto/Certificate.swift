internal import CStorekeeperOpenSSL

/// One X.509 certificate (RFC 5280), parsed and never changed.
@safe
package final class Certificate: @unchecked Sendable {
  // Sendable because OpenSSL allows concurrent reading of an X509 whose extensions have been
  // cached, which the initialiser does.
  let handle: OpaquePointer

  /// The certificate as it came.
  package let der: [UInt8]
  /// When it is valid.
  package let validity: Validity
  /// The key that it certifies, or nil when OpenSSL knows no such kind of key.
  package let publicKey: PublicKey?

  /// Reads a certificate in DER that fills the bytes; nil for anything else.
  package init?(der: [UInt8]) {
    let parsed = unsafe parsedDER(der, free: { unsafe X509_free($0) }) { position, count in
      unsafe d2i_X509(nil, position, count)
    }
    guard let handle = unsafe parsed else { return nil }
    // OpenSSL also reads BER. A certificate's signature does not cover its outermost length and its
    // signature's form, so only what OpenSSL would write itself is DER (X.690 section 10).
    guard unsafe (try? derBytes { unsafe i2d_X509(handle, $0) }) == der,
      let validity = unsafe Validity(of: handle)
    else {
      ERR_clear_error()
      unsafe X509_free(handle)
      return nil
    }
    // Computes and caches what the extensions say, once, while nobody else has the handle.
    _ = unsafe X509_get_extension_flags(handle)
    publicKey = unsafe X509_get_pubkey(handle).map { unsafe PublicKey(owning: $0) }
    // Neither of them fails here, but they may have left something to complain about.
    ERR_clear_error()
    unsafe self.handle = handle
    self.der = der
    self.validity = validity
  }

  deinit {
    unsafe X509_free(handle)
  }

  /// The serial number in lower-case hexadecimal, without leading zeros.
  package var serialNumber: String {
    let digits = unsafe X509_get0_serialNumber(handle).flatMap { number -> [UInt8]? in
      let count = Int(unsafe ASN1_STRING_length(number))
      return unsafe ASN1_STRING_get0_data(number).map {
        unsafe Array(UnsafeBufferPointer(start: $0, count: count))
      }
    }
    let significant = hexadecimal(digits ?? []).drop { $0 == "0" }
    return significant.isEmpty ? "0" : String(significant)
  }

  /// Whether `issuer` bears the name that this certificate gives for its issuer.
  package func names(asIssuer issuer: Certificate) -> Bool {
    unsafe X509_NAME_cmp(X509_get_issuer_name(handle), X509_get_subject_name(issuer.handle)) == 0
  }

  /// When a certificate is valid: both ends belong to it (RFC 5280 section 4.1.2.5).
  package struct Validity: Hashable, Sendable {
    /// The first second, since 1970 UTC.
    package var notBefore: Int
    /// The last second, since 1970 UTC.
    package var notAfter: Int

    package init(notBefore: Int, notAfter: Int) {
      self.notBefore = notBefore
      self.notAfter = notAfter
    }

    /// Whether a moment, in seconds since 1970 UTC, lies inside.
    package func contains(_ moment: Double) -> Bool {
      Double(notBefore) <= moment && moment <= Double(notAfter)
    }

    /// What lies inside both.
    package func intersection(_ other: Validity) -> Validity {
      Validity(
        notBefore: max(notBefore, other.notBefore), notAfter: min(notAfter, other.notAfter))
    }

    fileprivate init?(of certificate: OpaquePointer) {
      guard
        let notBefore = unsafe secondsSince1970(X509_get0_notBefore(certificate)),
        let notAfter = unsafe secondsSince1970(X509_get0_notAfter(certificate))
      else { return nil }
      self.init(notBefore: notBefore, notAfter: notAfter)
    }
  }
}

/// An ASN.1 time in seconds since 1970 UTC, or nil when it is malformed.
func secondsSince1970(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
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
