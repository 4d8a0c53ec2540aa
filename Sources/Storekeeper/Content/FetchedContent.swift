/// The extra content of a product.
///
/// It is not unpacked. Entries of an archive may try to leave the directory into which they are unpacked. Source:
/// entitlement rules, section 8.
public struct FetchedContent: Hashable, Sendable {
  public let bytes: [UInt8]
  /// The SHA-256 digest of the bytes, 64 lower-case hexadecimal digits.
  public let sha256: String
  public let sourceType: SourceType
  /// The address of that source as the product list has it, before any redirect.
  public let url: String

  public var byteCount: Int { bytes.count }

  /// A type of a source.
  public enum SourceType: String, Hashable, Sendable {
    case remote
    /// A file below the content directory.
    case local
  }
}

extension FetchedContent: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(sourceType.rawValue) content, \(byteCount) bytes" }

  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["byteCount": byteCount, "sha256": sha256, "sourceType": sourceType, "url": url])
  }
}
