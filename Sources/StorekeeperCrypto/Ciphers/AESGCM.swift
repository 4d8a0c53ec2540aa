internal import CStorekeeperOpenSSL

/// AES with a key of 256 bits in Galois counter mode (NIST SP 800-38D), with tags of 16 bytes.
package enum AESGCM {
  package static let keySize = 32
  package static let nonceSize = 12
  package static let tagSize = 16

  /// Returns encrypted bytes with the tag behind them.
  ///
  /// The nonce is one that this key never saw before. The tag also protects the associated bytes, which stay as
  /// they are.
  package static func sealed(
    _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], associated: [UInt8]
  ) throws(OpenSSLFailure) -> [UInt8] {
    precondition(key.count == keySize && nonce.count == nonceSize)
    precondition(bytes.count <= Int(Int32.max) && associated.count <= Int(Int32.max))
    ERR_clear_error()
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .taken() }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: bytes.count + tagSize)
    var written: Int32 = 0
    var rest: Int32 = 0
    let succeeded = unsafe output.withUnsafeMutableBufferPointer { output in
      guard let start = output.baseAddress else { return false }
      return unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        && EVP_EncryptUpdate(context, nil, &rest, associated, Int32(associated.count)) == 1
        && EVP_EncryptUpdate(context, start, &written, bytes, Int32(bytes.count)) == 1
        && Int(written) == bytes.count
        && EVP_EncryptFinal_ex(context, start + bytes.count, &rest) == 1 && rest == 0
        && EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_GET_TAG, Int32(tagSize), start + bytes.count) == 1
    }
    guard succeeded else { throw .taken() }
    return output
  }

  /// Returns the bytes that were sealed, or nil if the key, the nonce, the tag or any bit is another.
  ///
  /// The tag is behind the encrypted bytes.
  package static func opened(
    _ sealed: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8], associated: [UInt8]
  ) throws(OpenSSLFailure) -> [UInt8]? {
    precondition(key.count == keySize && nonce.count == nonceSize)
    precondition(sealed.count >= tagSize && sealed.count <= Int(Int32.max))
    ERR_clear_error()
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .taken() }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let encrypted = Array(sealed.dropLast(tagSize))
    var tag = Array(sealed.suffix(tagSize))
    var output = [UInt8](repeating: 0, count: encrypted.count)
    var written: Int32 = 0
    var rest: Int32 = 0
    let prepared = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        && EVP_DecryptUpdate(context, nil, &rest, associated, Int32(associated.count)) == 1
        && EVP_DecryptUpdate(
          context, output.baseAddress, &written, encrypted, Int32(encrypted.count)) == 1
        && Int(written) == encrypted.count
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1
    }
    guard prepared else { throw .taken() }
    // Only now is it known who wrote the bytes; until then nobody has seen them.
    var nothing = [UInt8](repeating: 0, count: 16)
    guard unsafe EVP_DecryptFinal_ex(context, &nothing, &rest) == 1 else {
      ERR_clear_error()
      return nil
    }
    return output
  }
}
