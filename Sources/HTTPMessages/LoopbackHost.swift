internal import JSONValues

/// The hosts that are this machine.
package enum LoopbackHost {
  /// Whether a host is `localhost`, an address of 127.0.0.0/8, or `::1` with or without brackets.
  ///
  /// Source: RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3.
  package static func isOne(_ host: some StringProtocol) -> Bool {
    if host.lowercased() == "localhost" || host == "::1" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { $0.utf8.areDigits && UInt8($0) != nil }
  }
}
