/// The address of content, and the facts by which it is checked.
///
/// Source: entitlement rules, section 8.
public struct ContentSource: Hashable, Sendable {
  /// The address as listed, which is not checked.
  public var url: String { address.text }
  /// The SHA-256 digest of the content, 64 lower-case hexadecimal digits, or nil if it is not checked.
  public let sha256: String?
  /// The maximum size of the content in bytes, at least 1, or nil for the fetcher's own limit.
  public let maximumByteCount: Int?

  private let address: UniqueText

  /// Creates a source.
  public init(url: String, sha256: String? = nil, maximumByteCount: Int? = nil) {
    address = UniqueText(url)
    self.sha256 = sha256
    self.maximumByteCount = maximumByteCount
  }
}
