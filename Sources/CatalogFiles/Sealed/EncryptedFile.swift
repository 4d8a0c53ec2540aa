internal import StorekeeperCrypto

/// Files with AES-128-CBC over an LZFSE stream: the initialization vector, then the blocks.
///
/// Source: entitlement rules, section 3.
enum EncryptedFile {
  static func open(
    _ file: [UInt8], key: CatalogKey
  ) throws(SealedCatalogFailure) -> [UInt8] {
    guard file.count >= 2 * AESCBC.blockSize else { throw .fileTooShort }
    guard file.count.isMultiple(of: AESCBC.blockSize) else { throw .lengthNotBlockMultiple }
    // A failure of OpenSSL itself says no more to the caller than a wrong padding does.
    let stream = try? AESCBC.decrypted(
      file.dropFirst(AESCBC.blockSize), key: key.bytes,
      vector: Array(file.prefix(AESCBC.blockSize)))
    guard let stream = stream.flatMap({ $0 }) else { throw .decryptionFailed }
    return try SealedCatalog.decompressed(stream[...])
  }

  static func seal(
    _ list: [UInt8], key: CatalogKey, vector: [UInt8]?
  ) throws(OpenSSLFailure) -> [UInt8] {
    let vector = if let vector { vector } else { try SecureRandom.bytes(count: AESCBC.blockSize) }
    return try vector
      + AESCBC.encrypted(LZFSEEncoder.stored(list), key: key.bytes, vector: vector)
  }
}
