internal import StorekeeperCrypto

/// Files that protect a product list at rest.
///
/// The length of the key decides between two formats. Files are never judged by their bytes, so that nobody can
/// make a reader accept the weaker one.
///
/// ```swift
/// let key = try CatalogKey(file: secret)
/// let file = try SealedCatalog.seal(json, key: key)
/// let list = try SealedCatalog.open(file, key: key)
/// ```
///
/// Plain files need no key: they are JSON, and not compressed.
///
/// Source: entitlement rules, section 3.
public enum SealedCatalog {
  /// A format of sealed files.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// An initialization vector, then AES-128-CBC over an LZFSE stream; keys have 32 digits.
    ///
    /// The format proves nothing about who wrote the file, and an attacker who may try many files against a reader
    /// learns what is in them. Use it for files that other programs read or wrote, and never over a network.
    case encrypted
    /// A container with AES-256-GCM, in which no bit can be changed unnoticed; keys have 64 digits.
    case authenticated
  }

  /// The compression inside of a container.
  public enum Compression: UInt8, Hashable, Sendable, CaseIterable {
    case none = 0
    /// An LZFSE stream.
    case lzfse = 1
  }

  /// The maximum number of bytes of a list, 8 MiB.
  public static let maximumSize = LZFSEDecoder.usualLimit
  /// The maximum number of bytes of a sealed file: a list that can't be compressed, and 64 KiB for what
  /// surrounds it.
  ///
  /// A larger file is refused as ``SealedCatalogFailure/outputTooLarge`` before anything is decrypted.
  public static let maximumFileSize = maximumSize + (64 << 10)

  /// Returns the list in a sealed file.
  ///
  /// Whether the bytes are a product list is not checked.
  ///
  /// - Parameters:
  ///   - file: The whole file, at most ``maximumFileSize`` bytes.
  ///   - key: The key, whose length decides the format.
  /// - Returns: The bytes of the list, 1 byte to 8 MiB.
  /// - Throws: ``SealedCatalogFailure`` for the first fault. In files of ``Format/encrypted`` another key is either
  ///   ``SealedCatalogFailure/decryptionFailed`` or ``SealedCatalogFailure/compressedDataInvalid(reason:offset:)``.
  public static func open(
    _ file: [UInt8], key: CatalogKey
  ) throws(SealedCatalogFailure) -> [UInt8] {
    guard file.count <= maximumFileSize else { throw .outputTooLarge }
    return switch key.format {
    case .encrypted: try EncryptedFile.open(file, key: key)
    case .authenticated: try AuthenticatedContainer.open(file, key: key)
    }
  }

  /// Returns a sealed file with a list, whose random part is new each time.
  ///
  /// Whether the bytes are a product list is not checked. LZFSE streams store the list without making it smaller.
  ///
  /// - Parameters:
  ///   - list: The bytes of the list, 1 byte to 8 MiB.
  ///   - key: The key, whose length decides the format.
  ///   - compression: The compression in a container. Files of ``Format/encrypted`` always have an LZFSE stream.
  /// - Returns: The whole file.
  /// - Throws: ``CatalogSealingFailure`` for an empty or too large list, and if the system has no random bytes.
  public static func seal(
    _ list: [UInt8], key: CatalogKey, compression: Compression = .none
  ) throws(CatalogSealingFailure) -> [UInt8] {
    try seal(list, key: key, compression: compression, start: nil)
  }

  /// Returns a sealed file with a list and, for tests only, a given initialization vector or nonce.
  package static func seal(
    _ list: [UInt8], key: CatalogKey, compression: Compression = .none, start: [UInt8]?
  ) throws(CatalogSealingFailure) -> [UInt8] {
    guard !list.isEmpty else { throw .empty }
    guard list.count <= maximumSize else { throw .tooLarge }
    do {
      return switch key.format {
      case .encrypted: try EncryptedFile.seal(list, key: key, vector: start)
      case .authenticated:
        try AuthenticatedContainer.seal(list, key: key, compression: compression, nonce: start)
      }
    } catch {
      throw .encryptionUnavailable
    }
  }

  /// Returns what an LZFSE stream stands for, which is at least one byte.
  static func decompressed(_ stream: ArraySlice<UInt8>) throws(SealedCatalogFailure) -> [UInt8] {
    do throws(LZFSEFailure) {
      let list = try LZFSEDecoder(limit: maximumSize).decoded(stream)
      // Nothing but an end mark and blocks of no bytes; no list has no bytes.
      guard !list.isEmpty else { throw LZFSEFailure.invalid(reason: .wrongRawSize, offset: 0) }
      return list
    } catch {
      switch error {
      case .invalid(let reason, let offset):
        throw .compressedDataInvalid(reason: reason, offset: offset)
      case .outputTooLarge: throw .outputTooLarge
      }
    }
  }
}

/// Containers with AES-256-GCM: a header of 8 bytes, the nonce, the encrypted bytes, the tag.
///
/// Source: entitlement rules, section 3.3.
enum AuthenticatedContainer {
  private static let magic = Array("SKPL".utf8)
  private static let version: UInt8 = 1
  private static let headerSize = 8
  private static let overhead = headerSize + AESGCM.nonceSize + AESGCM.tagSize

  static func open(_ file: [UInt8], key: CatalogKey) throws(SealedCatalogFailure) -> [UInt8] {
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

/// Files with AES-128-CBC over an LZFSE stream: the initialization vector, then the blocks.
///
/// Source: entitlement rules, section 3.
enum EncryptedFile {
  static func open(_ file: [UInt8], key: CatalogKey) throws(SealedCatalogFailure) -> [UInt8] {
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
