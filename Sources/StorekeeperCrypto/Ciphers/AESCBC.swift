internal import CStorekeeperOpenSSL

/// AES with a key of 128 bits in cipher block chaining (NIST SP 800-38A), padded as in RFC 5652.
///
/// It hides what it encrypts, but proves nothing about who wrote it.
package enum AESCBC {
  package static let keySize = 16
  package static let blockSize = 16

  /// Returns the encrypted blocks of bytes, the last with padding.
  package static func encrypted(
    _ bytes: [UInt8], key: [UInt8], vector: [UInt8]
  ) throws(OpenSSLFailure) -> [UInt8] {
    let count = blockSize - bytes.count % blockSize
    let padding = [UInt8](repeating: UInt8(count), count: count)
    return try run(bytes + padding, key: key, vector: vector, isEncrypting: true)
  }

  /// Returns the bytes of encrypted blocks, at least one, or nil if the padding is wrong.
  package static func decrypted(
    _ blocks: ArraySlice<UInt8>, key: [UInt8], vector: [UInt8]
  ) throws(OpenSSLFailure) -> [UInt8]? {
    precondition(!blocks.isEmpty && blocks.count.isMultiple(of: blockSize))
    var bytes = try run(Array(blocks), key: key, vector: vector, isEncrypting: false)
    guard let count = BlockPadding.length(of: bytes.suffix(blockSize)) else { return nil }
    bytes.removeLast(count)
    return bytes
  }

  private static func run(
    _ bytes: [UInt8], key: [UInt8], vector: [UInt8], isEncrypting: Bool
  ) throws(OpenSSLFailure) -> [UInt8] {
    precondition(key.count == keySize && vector.count == blockSize)
    precondition(bytes.count <= Int(Int32.max))
    ERR_clear_error()
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .taken() }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: bytes.count)
    var written: Int32 = 0
    var rest: Int32 = 0
    // OpenSSL's own padding is off: what it says about a wrong one depends on the bytes.
    let succeeded = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe EVP_CipherInit_ex(
        context, EVP_aes_128_cbc(), nil, key, vector, isEncrypting ? 1 : 0) == 1
        && EVP_CIPHER_CTX_set_padding(context, 0) == 1
        && EVP_CipherUpdate(context, output.baseAddress, &written, bytes, Int32(bytes.count)) == 1
        && Int(written) == bytes.count
        && EVP_CipherFinal_ex(context, nil, &rest) == 1 && rest == 0
    }
    guard succeeded else { throw .taken() }
    return output
  }
}

/// The padding of RFC 5652 section 6.3 for blocks of 16 bytes: n bytes with the value n, 1 to 16.
package enum BlockPadding {
  /// Returns the length of the padding in the last 16 bytes, or nil if it is wrong.
  ///
  /// The time does not depend on the bytes.
  package static func length(of block: ArraySlice<UInt8>) -> Int? {
    precondition(block.count == 16)
    let last = UInt32(block[block.endIndex - 1])
    // Each mask is all ones where its condition holds: a difference below zero has its top bits set.
    var wrong = ~isLess(0, last) | isLess(16, last)
    for place in 1...16 {
      let byte = UInt32(block[block.endIndex - place])
      wrong |= isLess(UInt32(place) &- 1, last) & (byte ^ last)
    }
    return wrong == 0 ? Int(last) : nil
  }

  /// Returns all ones if one small number is less than another, else zero.
  private static func isLess(_ one: UInt32, _ other: UInt32) -> UInt32 {
    0 &- ((one &- other) >> 31)
  }
}
