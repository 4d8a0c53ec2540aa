internal import JSONValues

/// The parts of an address with a scheme and an authority, such as `https://example.org:8443/packs/winter.zip`.
///
/// The parts are split, not judged: any text may be a scheme, a host or a port. Source: RFC 3986, section 3.
package struct ContentURL: Hashable, Sendable {
  /// The scheme in lower case.
  package let scheme: String
  /// The user and password, or nil if the authority has no `@`.
  package let userInformation: String?
  /// The host, with brackets for an IPv6 address; empty if there is none.
  package let host: String
  /// The port, or nil if there is no colon.
  package let port: String?
  /// The path, up to the query and fragment.
  package let path: String

  /// Splits an address, or returns nil if it does not begin with a scheme and `://`.
  package init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      text.utf8[colon...].starts(with: "://".utf8), colon > text.startIndex
    else { return nil }
    scheme = text[..<colon].lowercased()
    let rest = text[text.utf8.index(colon, offsetBy: 3)...].utf8
    let end = rest.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    let shown = rest[end...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    path = String(Substring(shown))
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    userInformation = at.map { String(Substring(authority[..<$0])) }
    let server = at.map { authority[authority.index(after: $0)...] } ?? authority
    let bracket = server.lastIndex(of: UInt8(ascii: "]")) ?? server.startIndex
    let portColon = server[bracket...].firstIndex(of: UInt8(ascii: ":"))
    host = String(Substring(portColon.map { server[..<$0] } ?? server))
    port = portColon.map { String(Substring(server[server.index(after: $0)...])) }
  }
}

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

/// A descriptor of where extra content is.
///
/// Nothing is fetched and no address is checked when a list is loaded. Source: entitlement rules,
/// section 8.
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
