/// The reason why a sealed catalogue can't be opened.
///
/// Failures say nothing about the key or the content.
///
/// Source: entitlement rules, sections 3 and 3.3.
@nonexhaustive
public enum SealedCatalogFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is shorter than the smallest one of its format, or there is nothing in it.
  case fileTooShort
  /// The file is not a whole number of blocks of 16 bytes.
  case lengthNotBlockMultiple
  /// The padding is wrong, usually because of another key.
  case decryptionFailed
  /// The decrypted bytes are no LZFSE stream, often because of another key, or they stand for nothing.
  ///
  /// - Parameters:
  ///   - reason: The broken rule.
  ///   - offset: The place in the compressed bytes, which are decrypted already.
  case compressedDataInvalid(reason: LZFSEFault, offset: Int)
  /// The list has more than 8 MiB, or the file has more than ``SealedCatalog/maximumFileSize`` bytes.
  case outputTooLarge
  /// The file doesn't begin with `SKPL`.
  case containerMagic
  case containerVersion
  /// The compression of the container is unknown, or its reserved bytes are not zero.
  case containerFlags
  /// The key is another one, or some bit of the file was changed.
  case authenticationFailed

  /// The reason in one line.
  public var description: String {
    switch self {
    case .fileTooShort: "sealed catalogue: the file is too short"
    case .lengthNotBlockMultiple:
      "sealed catalogue: the length of the file is no multiple of 16 bytes"
    case .decryptionFailed: "sealed catalogue: the file can't be decrypted with this key"
    case .compressedDataInvalid(let reason, let offset):
      "sealed catalogue: the compressed data is invalid: \(reason.rawValue) at byte \(offset)"
    case .outputTooLarge:
      "sealed catalogue: the list has more than \(SealedCatalog.maximumSize) bytes"
    case .containerMagic: "sealed catalogue: the file is no authenticated container"
    case .containerVersion: "sealed catalogue: the version of the container is unknown"
    case .containerFlags: "sealed catalogue: the flags of the container are unknown"
    case .authenticationFailed:
      "sealed catalogue: another key, or the file was changed"
    }
  }
}

/// The reason why a list can't be sealed.
@nonexhaustive
public enum CatalogSealingFailure: String, Error, Hashable, Sendable, CustomStringConvertible {
  /// There are no bytes, which are never a list.
  case empty
  /// The list has more than 8 MiB.
  case tooLarge
  /// The system has no random bytes, or the encryption failed.
  case encryptionUnavailable

  /// The reason in one line.
  public var description: String {
    switch self {
    case .empty: "sealed catalogue: there is nothing to seal"
    case .tooLarge: "sealed catalogue: the list has more than \(SealedCatalog.maximumSize) bytes"
    case .encryptionUnavailable: "sealed catalogue: the encryption failed"
    }
  }
}
