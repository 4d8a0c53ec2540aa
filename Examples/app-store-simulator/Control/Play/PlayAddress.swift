/// The address at Google's hosts for which a path of the simulator stands.
///
/// The paths are Google's own, which differ from host to host.
struct PlayAddress: Hashable, Sendable {
  let url: String

  private static let hosts: [(String, String)] = [
    ("/token", "https://oauth2.googleapis.com"),
    ("/oauth2/v3/certs", "https://www.googleapis.com"),
    ("/androidpublisher/", "https://androidpublisher.googleapis.com"),
  ]

  /// Creates the address for a request target; nil if that is none of Google's.
  init?(_ target: String) {
    let path = target.prefix { $0 != "?" }
    let host = Self.hosts.first { prefix, _ in
      prefix.hasSuffix("/") ? path.hasPrefix(prefix) : path == prefix
    }
    guard let host else { return nil }
    url = host.1 + target
  }
}
