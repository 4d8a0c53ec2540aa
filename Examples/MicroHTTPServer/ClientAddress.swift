#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Whom a connection comes from, as far as it is counted: an address of IPv4, or a network of IPv6.
///
/// Of IPv6 the first 64 bits count: a subscriber has all addresses behind them. An address of IPv4 that
/// is written as one of IPv6 is the former.
package struct ClientAddress: Hashable, Sendable {
  private let network: UInt64
  private let isIPv6: Bool

  /// Takes the 4 or 16 bytes of an address; all others are one.
  package init(_ bytes: [UInt8]) {
    let isMapped =
      bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12] == [0xFF, 0xFF]
    isIPv6 = bytes.count == 16 && !isMapped
    let counted = isMapped ? bytes[12...] : bytes.prefix(8)
    network = counted.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Takes what `accept` says.
  init(_ address: sockaddr_storage) {
    let bytes = unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
    switch Int32(address.ss_family) {
    case AF_INET: self.init(Array(bytes[4..<8]))
    case AF_INET6: self.init(Array(bytes[8..<24]))
    default: self.init([])
    }
  }
}
