#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The source of a connection, for limits: an IPv4 address or an IPv6 network.
///
/// Of an IPv6 address the first 64 bits count, since a subscriber has all addresses below them. An
/// IPv4 address mapped to IPv6 counts as IPv4.
package struct ClientAddress: Hashable, Sendable {
  private let network: UInt64
  private let isIPv6: Bool

  /// Takes the 4 or 16 bytes of an address; all other lengths count as one address.
  package init(_ bytes: [UInt8]) {
    let isMapped =
      bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12] == [0xFF, 0xFF]
    isIPv6 = bytes.count == 16 && !isMapped
    let counted = isMapped ? bytes[12...] : bytes.prefix(8)
    network = counted.reduce(0) { $0 << 8 | UInt64($1) }
  }

  init(_ address: sockaddr_storage) {
    let bytes = unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
    switch Int32(address.ss_family) {
    case AF_INET: self.init(Array(bytes[4..<8]))
    case AF_INET6: self.init(Array(bytes[8..<24]))
    default: self.init([])
    }
  }
}
