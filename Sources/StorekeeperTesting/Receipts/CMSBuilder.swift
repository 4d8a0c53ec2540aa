internal import CStorekeeperOpenSSL
package import StorekeeperCrypto

/// A builder of signed-data messages for tests, valid or not (RFC 5652 section 5).
package struct CMSBuilder: Sendable {
  /// The certificates to embed, in order.
  package var certificates: [Certificate]
  /// The signers, in order; empty for an unsigned message.
  package var signers: [(certificate: Certificate, key: PrivateKey)]
  package var digest = Digest.sha256
  package var hasSignedAttributes = false
  package var hasUnsignedAttributes = false
  package var hasContent = true

  /// A digest, including unsupported ones.
  package enum Digest: Sendable {
    case sha1, sha256, sha384

    fileprivate var algorithm: OpaquePointer? {
      switch self {
      case .sha1: unsafe EVP_sha1()
      case .sha256: unsafe EVP_sha256()
      case .sha384: unsafe EVP_sha384()
      }
    }
  }

  package init(
    certificates: [Certificate], signers: [(certificate: Certificate, key: PrivateKey)]
  ) {
    self.certificates = certificates
    self.signers = signers
  }

  /// Returns a message with this content, in DER.
  package func message(_ content: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    var flags = UInt32(CMS_BINARY | CMS_PARTIAL | CMS_NOCERTS)
    if !hasContent { flags |= UInt32(CMS_DETACHED) }
    guard let message = unsafe CMS_sign(nil, nil, nil, nil, flags) else { throw .taken() }
    defer { unsafe CMS_ContentInfo_free(message) }
    for certificate in certificates {
      guard let handle = unsafe certificate.handle,
        unsafe CMS_add1_cert(message, handle) == 1
      else { throw .taken() }
    }
    let signerFlags = flags | (hasSignedAttributes ? 0 : UInt32(CMS_NOATTR))
    for signer in signers {
      let added = unsafe CMS_add1_signer(
        message, signer.certificate.handle, signer.key.handle, digest.algorithm, signerFlags)
      guard let signerInfo = unsafe added else { throw .taken() }
      if hasUnsignedAttributes {
        let attribute = unsafe CMS_unsigned_add1_attr_by_txt(
          signerInfo, "1.2.3.4", V_ASN1_UTF8STRING, "text", 4)
        guard attribute == 1 else { throw .taken() }
      }
    }
    let isFinal = unsafe content.withUnsafeBytes { buffer in
      let input = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
      defer { unsafe BIO_free(input) }
      return unsafe CMS_final(message, input, nil, flags) == 1
    }
    guard isFinal else { throw .taken() }
    return try unsafe derBytes { unsafe i2d_CMS_ContentInfo(message, $0) }
  }
}
