internal import CStorekeeperOpenSSL
internal import StorekeeperLocks

/// An immutable X.509 certificate (RFC 5280).
@safe
package final class Certificate: Sendable {
  package let der: [UInt8]
  package let validity: Validity
  /// The serial number in lower-case hexadecimal, without leading zeros or sign.
  package let serialNumber: String
  /// The certified key, or nil if OpenSSL does not support its kind.
  package let publicKey: PublicKey?

  let outline: CertificateOutline
  let facts: ExtensionFacts
  private let openssl = Locked<OpenSSLCertificate?>(nil)

  /// Parses a certificate in DER that fills the bytes; nil for anything else.
  package init?(der: [UInt8]) {
    guard let outline = try? CertificateOutline(der) else { return nil }
    self.der = der
    self.outline = outline
    validity = outline.validity
    serialNumber = Self.text(ofNumber: der[outline.serialNumber.content])
    facts = ExtensionFacts(outline.extensions, der)
    publicKey = try? PublicKey(subjectPublicKeyInfo: Array(der[outline.keyInfo]))
  }

  private static func text(ofNumber content: ArraySlice<UInt8>) -> String {
    var digits = Array(content)
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

  /// Returns whether the subject of `issuer` is the issuer that this certificate names.
  package func names(asIssuer issuer: Certificate) -> Bool {
    DistinguishedName.areEqual(der[outline.issuer], issuer.der[issuer.outline.subject])
  }

  /// Returns whether a certificate has this issuer name and serial number, both in DER.
  func isNamed(byIssuer name: ArraySlice<UInt8>, serialNumber: ArraySlice<UInt8>) -> Bool {
    der[outline.serialNumber.whole].equals(serialNumber)
      && DistinguishedName.areEqual(name, der[outline.issuer])
  }

  /// Returns whether the subject key identifier consists of these bytes (RFC 5280 section 4.2.1.2).
  func hasSubjectKeyIdentifier(_ bytes: some Collection<UInt8>) -> Bool {
    facts.subjectKeyIdentifier.map { der[$0].elementsEqual(bytes) } ?? false
  }

  /// The certificate as parsed by OpenSSL, for functions that require it.
  package var handle: OpaquePointer? {
    let read = openssl.withLock { known in
      if known == nil { known = OpenSSLCertificate(der) }
      return known
    }
    return unsafe read?.handle
  }

  /// A validity period, including both ends (RFC 5280 section 4.1.2.5).
  package struct Validity: Hashable, Sendable {
    /// The first second, since 1970 UTC.
    package var notBefore: Int
    /// The last second, since 1970 UTC.
    package var notAfter: Int

    package init(notBefore: Int, notAfter: Int) {
      self.notBefore = notBefore
      self.notAfter = notAfter
    }

    /// Returns whether the period contains a time in seconds since 1970 UTC.
    package func contains(_ moment: Double) -> Bool {
      Double(notBefore) <= moment && moment <= Double(notAfter)
    }

    /// Returns the period that is part of both.
    package func intersection(_ other: Validity) -> Validity {
      Validity(
        notBefore: max(notBefore, other.notBefore), notAfter: min(notAfter, other.notAfter))
    }
  }
}

/// A certificate as parsed by OpenSSL.
@safe
private final class OpenSSLCertificate: @unchecked Sendable {
  // Sendable because OpenSSL allows concurrent reading of an X509 whose extensions have been
  // cached, which the initializer does.
  let handle: OpaquePointer

  init?(_ der: [UInt8]) {
    let parsed = unsafe parsedDER(der, free: { unsafe X509_free($0) }) { position, count in
      unsafe d2i_X509(nil, position, count)
    }
    guard let handle = unsafe parsed else { return nil }
    // Caches the decoded extensions while no other thread has the handle.
    _ = unsafe X509_get_extension_flags(handle)
    ERR_clear_error()
    unsafe self.handle = handle
  }

  deinit {
    unsafe X509_free(handle)
  }
}
