/// The address of a request to Google, taken apart.
struct PlayTarget: Sendable {
  let host: Host
  /// The decoded parts of the path, without the verb.
  let path: [String]
  /// The text after the last colon of the path, such as `acknowledge`; nil without one.
  let verb: String?
  let query: [ServerAPITarget.Parameter]

  enum Host: String, CaseIterable, Sendable {
    case tokens = "https://oauth2.googleapis.com/"
    case publisher = "https://androidpublisher.googleapis.com/"
    case keys = "https://www.googleapis.com/"
  }

  /// Takes an address apart; nil if it is none of Google's.
  init?(url: String) {
    guard let host = Host.allCases.first(where: { url.hasPrefix($0.rawValue) }) else { return nil }
    self.host = host
    let parts = url.dropFirst(host.rawValue.count)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    // A verb is what follows a colon that is not escaped.
    if let last = segments.last, let colon = last.lastIndex(of: ":") {
      verb = String(last[last.index(after: colon)...])
      segments[segments.count - 1] = last[..<colon]
    } else {
      verb = nil
    }
    path = segments.map { ServerAPITarget.decoded($0) }
    query = ServerAPITarget.parameters(parts.count == 2 ? parts[1] : "")
  }

  /// Returns the first value of a parameter, or nil.
  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
