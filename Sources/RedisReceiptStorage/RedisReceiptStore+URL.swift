internal import HTTPMessages
internal import JSONValues

extension RedisReceiptStore.Configuration {
  /// The reason why a text is no address of a Redis server; it never quotes the text.
  @nonexhaustive
  public enum URLFailure: Error, Hashable, Sendable {
    case scheme
    /// The user or the password is not percent-encoded.
    case credentials
    /// The host is missing or has characters that no host has.
    case host
    /// The port is no number from 1 to 65535.
    case port
    /// The path is no number of a database.
    case database
    /// There is a query or a fragment, which have no meaning here.
    case rest
  }

  /// Creates a configuration from `redis://[user[:password]@]host[:port][/database]`, or `rediss` for TLS.
  ///
  /// User and password are percent-encoded, and an IPv6 address stands in brackets. A password for the default user
  /// follows a colon without a user: `redis://:password@host`.
  public init(url: String) throws(URLFailure) {
    var rest = Substring(url)
    guard let scheme = rest.cut(through: "://") else { throw .scheme }
    let usesTLS: Bool
    switch scheme.lowercased() {
    case "redis": usesTLS = false
    case "rediss": usesTLS = true
    default: throw .scheme
    }
    guard !rest.contains(where: { $0 == "?" || $0 == "#" }) else { throw .rest }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let database = try Self.database(rest[slash...].dropFirst())
    rest = rest[..<slash]
    // The last one, as passwords are often written without being encoded; then they are refused.
    let (username, password) = try Self.credentials(rest.lastIndex(of: "@").map { rest[..<$0] })
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    let (host, port) = try Self.address(rest)
    self.init(
      host: host, port: port, usesTLS: usesTLS, username: username, password: password,
      database: database)
  }

  private static func database(_ text: Substring) throws(URLFailure) -> Int {
    if text.isEmpty { return 0 }
    guard text.isDigits, let number = Int(text), number <= Int32.max else { throw .database }
    return number
  }

  private static func credentials(
    _ text: Substring?
  ) throws(URLFailure) -> (username: String?, password: String?) {
    guard let text else { return (nil, nil) }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let texts = parts.map { part in
      part.contains { ":@".contains($0) } ? nil : String(part).percentDecoded
    }
    guard let username = texts[0], let password = texts.count == 2 ? texts[1] : "" else {
      throw .credentials
    }
    return (username.isEmpty ? nil : username, password.isEmpty ? nil : password)
  }

  private static func address(
    _ text: Substring
  ) throws(URLFailure) -> (host: String, port: UInt16) {
    var rest = text
    var host: Substring
    if rest.first == "[" {
      rest = rest.dropFirst()
      guard let address = rest.cut(through: "]"), address.contains(":") else { throw .host }
      host = address
    } else {
      host = rest.prefix { $0 != ":" }
      rest = rest[host.endIndex...]
    }
    guard RedisHost.isUsable(String(host)) else { throw .host }
    if rest.isEmpty { return (String(host), 6379) }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.isDigits, let port = UInt16(digits), port > 0 else {
      throw .port
    }
    return (String(host), port)
  }
}

extension Substring {
  fileprivate mutating func cut(through separator: String) -> Substring? {
    guard let range = firstRange(of: separator) else { return nil }
    defer { self = self[range.upperBound...] }
    return self[..<range.lowerBound]
  }

  fileprivate var isDigits: Bool { !isEmpty && utf8.areDigits }
}

/// The check of the names of hosts.
enum RedisHost {
  /// Whether the text can be a name, an IPv4 address or an IPv6 address without brackets.
  ///
  /// Names that are not ASCII are given in their ASCII form (RFC 5890 section 2.3.2.1).
  static func isUsable(_ host: String) -> Bool {
    !host.isEmpty && host.utf8.count <= 255
      && host.utf8.allSatisfy { $0.isLetterOrDigit || "-._:".utf8.contains($0) }
  }
}
