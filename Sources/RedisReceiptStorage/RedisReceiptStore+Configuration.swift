extension RedisReceiptStore {
  /// The address of a server, and how it is used; printed without the password.
  public struct Configuration: Hashable, Sendable {
    /// The name or the address of the server; an IPv6 address without brackets.
    public var host: String
    public var port: UInt16
    /// Whether the connection is encrypted, with TLS 1.2 or later; the server's certificate must be
    /// valid for the host.
    public var usesTLS: Bool
    /// The path of a PEM file with the certificates to trust instead of the system's; nil for the
    /// system's.
    public var certificateAuthorityFile: String?
    /// The user of the server's access control list; nil for the default user.
    public var username: String?
    /// The password; nil for a server or a user without.
    public var password: String?
    public var database: Int
    /// The beginning of every key.
    ///
    /// It must not contain braces, which have a meaning in a cluster.
    public var keyPrefix = "iap:receipt:"
    /// The time for which a receipt is kept after it was put; nil for no end.
    ///
    /// It counts in whole milliseconds, one at least.
    public var timeToLive: Duration?
    public var deadline = Duration.milliseconds(250)

    /// Creates a configuration.
    public init(
      host: String, port: UInt16 = 6379, usesTLS: Bool = false,
      username: String? = nil, password: String? = nil, database: Int = 0
    ) {
      self.host = host
      self.port = port
      self.usesTLS = usesTLS
      self.username = username
      self.password = password
      self.database = database
    }
  }
}

extension RedisReceiptStore.Configuration: CustomStringConvertible, CustomReflectable {
  /// The address, without user and password.
  public var description: String {
    let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "\(usesTLS ? "rediss" : "redis")://\(host):\(port)/\(database)"
  }

  /// Empty, so that `dump` shows no password.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
