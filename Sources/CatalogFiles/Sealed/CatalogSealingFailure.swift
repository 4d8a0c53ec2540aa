/// The reason why a list can't be sealed.
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
