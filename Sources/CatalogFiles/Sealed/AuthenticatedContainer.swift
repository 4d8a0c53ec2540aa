internal import StorekeeperCrypto

/// Containers with AES-256-GCM: a header of 8 bytes, the nonce, the encrypted bytes, the tag.
///
/// Source: entitlement rules, section 3.3.
enum AuthenticatedContainer {
  private static let magic = Array("SKPL".utf8)
  private static let version: UInt8 = 1
  private static let headerSize = 8
  private static let overhead = headerSize + AESGCM.nonceSize + AESGCM.tagSize

  static func open(
    _ file: [UInt8], key: CatalogKey
  ) throws(SealedCatalogFailure) -> [UInt8] {
    guard file.count >= overhead else { throw .fileTooShort }
    guard file.starts(with: magic) else { throw .containerMagic }
    guard file[4] == version else { throw .containerVersion }
    guard let compression = SealedCatalog.Compression(rawValue: file[5]), file[6] == 0,
      file[7] == 0
    else { throw .containerFlags }
    // Nothing of the content is used before the tag is checked. A failure of OpenSSL itself counts as a wrong tag.
    let content = try? AESGCM.opened(
      file.dropFirst(headerSize + AESGCM.nonceSize), key: key.bytes,
      nonce: Array(file[headerSize..<headerSize + AESGCM.nonceSize]),
      associated: Array(file.prefix(headerSize)))
    guard let content = content.flatMap({ $0 }) else { throw .authenticationFailed }
    guard !content.isEmpty else { throw .fileTooShort }
    switch compression {
    case .lzfse: return try SealedCatalog.decompressed(content[...])
    case .none:
      guard content.count <= SealedCatalog.maximumSize else { throw .outputTooLarge }
      return content
    }
  }

  static func seal(
    _ list: [UInt8], key: CatalogKey, compression: SealedCatalog.Compression, nonce: [UInt8]?
  ) throws(OpenSSLFailure) -> [UInt8] {
    let nonce = if let nonce { nonce } else { try SecureRandom.bytes(count: AESGCM.nonceSize) }
    let header = magic + [version, compression.rawValue, 0, 0]
    let content = compression == .lzfse ? LZFSEEncoder.stored(list) : list
    return try header + nonce
      + AESGCM.sealed(content, key: key.bytes, nonce: nonce, associated: header)
  }
}
