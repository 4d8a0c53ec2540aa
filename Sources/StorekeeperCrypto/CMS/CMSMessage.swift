internal import CStorekeeperOpenSSL

/// An immutable CMS message (RFC 5652), for use by one thread at a time.
@safe
package final class CMSMessage {
  let handle: OpaquePointer

  /// A reason why bytes are not a message.
  package enum ParsingFailure: Error, Hashable, Sendable {
    /// OpenSSL cannot parse a message.
    case malformed
    /// Bytes follow the message, which OpenSSL itself ignores.
    case trailingBytes
  }

  /// Parses a message in DER, or in the BER that OpenSSL supports, that fills the bytes.
  package init(_ bytes: [UInt8]) throws(ParsingFailure) {
    ERR_clear_error()
    var message: OpaquePointer?
    var count = 0
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      var position: UnsafePointer<UInt8>? = unsafe start
      unsafe message = d2i_CMS_ContentInfo(nil, &position, buffer.count)
      if let end = unsafe position { count = unsafe end - start }
    }
    guard let message = unsafe message else {
      ERR_clear_error()
      throw .malformed
    }
    unsafe handle = message
    guard count == bytes.count else { throw .trailingBytes }
  }

  deinit {
    unsafe CMS_ContentInfo_free(handle)
  }

  /// Whether the message is signed data with content of type data (RFC 5652 sections 4 and 5.2).
  package var isSignedData: Bool {
    unsafe OBJ_obj2nid(CMS_get0_type(handle)) == NID_pkcs7_signed
      && OBJ_obj2nid(CMS_get0_eContentType(handle)) == NID_pkcs7_data
  }

  /// The signed content, with its pieces joined; nil if it is detached.
  package var content: [UInt8]? {
    guard let pointer = unsafe CMS_get0_content(handle), let text = unsafe pointer.pointee else {
      ERR_clear_error()
      return nil
    }
    let count = Int(unsafe ASN1_STRING_length(text))
    return unsafe ASN1_STRING_get0_data(text).map {
      unsafe Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// The embedded certificates, each in DER as OpenSSL encodes it.
  package var certificates: [[UInt8]] {
    guard let stack = unsafe CMS_get1_certs(handle) else {
      ERR_clear_error()
      return []
    }
    defer { unsafe copenssl_certificates_free_all(stack) }
    return (0..<(unsafe copenssl_certificates_count(stack))).compactMap { index in
      try? unsafe derBytes { unsafe i2d_X509(copenssl_certificates_value(stack, index), $0) }
    }
  }

  package var signers: [CMSSigner] {
    guard let stack = unsafe CMS_get0_SignerInfos(handle) else {
      ERR_clear_error()
      return []
    }
    return (0..<(unsafe copenssl_signers_count(stack))).compactMap { index in
      unsafe copenssl_signers_value(stack, index).map { unsafe CMSSigner($0) }
    }
  }
}

extension CMSSigner {
  /// Copies what OpenSSL has read.
  fileprivate init(_ handle: OpaquePointer) {
    var digest: UnsafeMutablePointer<X509_ALGOR>?
    var algorithm: UnsafeMutablePointer<X509_ALGOR>?
    unsafe CMS_SignerInfo_get0_algs(handle, nil, nil, &digest, &algorithm)
    let types = (unsafe Self.type(of: digest), unsafe Self.type(of: algorithm))
    let rsaDigest: RSADigest? =
      switch types {
      case (NID_sha1, NID_rsaEncryption), (NID_sha1, NID_sha1WithRSAEncryption): .sha1
      case (NID_sha256, NID_rsaEncryption), (NID_sha256, NID_sha256WithRSAEncryption): .sha256
      default: nil
      }
    self.init(
      hasAttributes: unsafe CMS_signed_get_attr_count(handle) > 0
        || CMS_unsigned_get_attr_count(handle) > 0,
      rsaDigest: rsaDigest, identifier: unsafe Self.identifier(of: handle),
      signature: (unsafe Self.bytes(of: CMS_SignerInfo_get0_signature(handle)))[...])
  }

  private static func identifier(of handle: OpaquePointer) -> Identifier? {
    var keyIdentifier: UnsafeMutablePointer<ASN1_OCTET_STRING>?
    var issuer: OpaquePointer?
    var number: UnsafeMutablePointer<ASN1_INTEGER>?
    let found = unsafe CMS_SignerInfo_get0_signer_id(handle, &keyIdentifier, &issuer, &number)
    guard found == 1 else { return nil }
    if let keyIdentifier = unsafe keyIdentifier { return .key(unsafe bytes(of: keyIdentifier)) }
    guard let name = try? unsafe derBytes({ unsafe i2d_X509_NAME(issuer, $0) }),
      let number = try? unsafe derBytes({ unsafe i2d_ASN1_INTEGER(number, $0) })
    else { return nil }
    return .certificate(issuer: name[...], serialNumber: number[...])
  }

  private static func bytes(of text: UnsafeMutablePointer<ASN1_STRING>?) -> [UInt8] {
    guard let text = unsafe text, let start = unsafe ASN1_STRING_get0_data(text) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(text))))
  }

  private static func type(of algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> Int32 {
    var object: OpaquePointer?
    unsafe X509_ALGOR_get0(&object, nil, nil, algorithm)
    return unsafe OBJ_obj2nid(object)
  }
}
