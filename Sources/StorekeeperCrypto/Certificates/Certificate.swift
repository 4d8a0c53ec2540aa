internal import CStorekeeperOpenSSL
internal import StorekeeperLocks

/// One X.509 certificate (RFC 5280), parsed and never changed.
@safe
package final class Certificate: Sendable {
  /// The certificate as it came.
  package let der: [UInt8]
  /// When it is valid.
  package let validity: Validity
  /// The key that it certifies, or nil when OpenSSL knows no such kind of key.
  package let publicKey: PublicKey?

  let outline: CertificateOutline
  let facts: ExtensionFacts
  private let openssl = Locked<OpenSSLCertificate?>(nil)

  /// Reads a certificate in DER that fills the bytes; nil for anything else.
  package init?(der: [UInt8]) {
    guard let outline = try? CertificateOutline(der) else { return nil }
    self.der = der
    self.outline = outline
    validity = outline.validity
    facts = ExtensionFacts(outline.extensions, der)
    publicKey = try? PublicKey(subjectPublicKeyInfo: Array(der[outline.keyInfo]))
  }

  /// The serial number in lower-case hexadecimal, without leading zeros or sign.
  package var serialNumber: String {
    var digits = Array(der[outline.serialNumber.content])
    if digits.first.map({ $0 >= 0x80 }) == true {
      // Two's complement (X.690 section 8.3).
      var carry = true
      for index in digits.indices.reversed() {
        digits[index] = ~digits[index] &+ (carry ? 1 : 0)
        carry = carry && digits[index] == 0
      }
    }
    let significant = hexadecimal(digits).drop { $0 == "0" }
    return significant.isEmpty ? "0" : String(significant)
  }

  /// Whether `issuer` bears the name that this certificate gives for its issuer.
  package func names(asIssuer issuer: Certificate) -> Bool {
    DistinguishedName.areEqual(der[outline.issuer], issuer.der[issuer.outline.subject])
  }

  /// Whether an issuer's name and a serial number, both in DER, are those of this certificate.
  func isNamed(byIssuer name: [UInt8], serialNumber: [UInt8]) -> Bool {
    der[outline.serialNumber.whole].elementsEqual(serialNumber)
      && DistinguishedName.areEqual(name[...], der[outline.issuer])
  }

  /// Whether its key is identified by these bytes (RFC 5280 section 4.2.1.2).
  func hasSubjectKeyIdentifier(_ bytes: some Collection<UInt8>) -> Bool {
    facts.subjectKeyIdentifier.map { der[$0].elementsEqual(bytes) } ?? false
  }

  /// The same certificate as OpenSSL reads it, for the functions that take one.
  var handle: OpaquePointer? {
    let read = openssl.withLock { known in
      if known == nil { known = OpenSSLCertificate(der) }
      return known
    }
    return unsafe read?.handle
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
  }
}

/// A certificate as OpenSSL reads it.
@safe
private final class OpenSSLCertificate: @unchecked Sendable {
  // Sendable because OpenSSL allows concurrent reading of an X509 whose extensions have been
  // cached, which the initialiser does.
  let handle: OpaquePointer

  init?(_ der: [UInt8]) {
    let parsed = unsafe parsedDER(der, free: { unsafe X509_free($0) }) { position, count in
      unsafe d2i_X509(nil, position, count)
    }
    guard let handle = unsafe parsed else { return nil }
    // Computes and caches what the extensions say, once, while nobody else has the handle.
    _ = unsafe X509_get_extension_flags(handle)
    ERR_clear_error()
    unsafe self.handle = handle
  }

  deinit {
    unsafe X509_free(handle)
  }
}
