internal import JSONValues

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
