/// A descriptor of where extra content is.
///
/// Nothing is fetched and no address is checked when a list is loaded.
///
/// Source: entitlement rules, section 8.
public enum ContentDescriptor: Hashable, Sendable {
  /// Content on a server, of type `remote` or `BZRRemoteContentFetcher`.
  case remote(ContentSource)
  /// Content below the host's content directory, of type `local`.
  case local(ContentSource)
  /// Several descriptors, 1 to 8, that are tried in order, of type `fallback`.
  case fallback([ContentDescriptor])
  /// A descriptor of a type that has no meaning here, which cannot be fetched.
  case unknown(type: String)

  /// The maximum number of descriptors in a `fallback`.
  public static let maximumSourceCount = 8
  /// The maximum number of `fallback`s around a descriptor.
  public static let maximumNesting = 3
}
