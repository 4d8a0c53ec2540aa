/// The addresses of the Internet that belong to somebody out there.
package enum NetworkAddress {
  /// Whether an address of 4 or 16 bytes is global: not of this machine, a private or local network, a group, or a range
  /// that is set aside.
  ///
  /// An address of version 6 in which one of version 4 stands is judged by that. Source: RFC 6890 with the registries of
  /// IANA that it begins, RFC 6598, RFC 4291 section 2.5.5.2, RFC 6052 section 2.1, RFC 3056 section 2.
  package static func isGlobal(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4: return isGlobal(version4: bytes[...])
    case 16: return isGlobal(version6: bytes)
    default: return false
    }
  }

  private static func isGlobal(version4 bytes: ArraySlice<UInt8>) -> Bool {
    let (first, second, third) = (
      bytes[bytes.startIndex], bytes[bytes.startIndex + 1], bytes[bytes.startIndex + 2]
    )
    switch (first, second) {
    case (0, _), (10, _), (127, _), (224..., _): return false
    case (100, 64...127), (169, 254), (172, 16...31), (192, 168), (198, 18...19): return false
    case (192, 0): return third != 0 && third != 2
    case (192, 88): return third != 99
    case (198, 51): return third != 100
    case (203, 0): return third != 113
    default: return true
    }
  }

  private static func isGlobal(version6 bytes: [UInt8]) -> Bool {
    let zeros = bytes.prefix { $0 == 0 }.count
    if zeros >= 10, bytes[10] == 0xFF, bytes[11] == 0xFF {
      return isGlobal(version4: bytes[12...])
    }
    if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
      return isGlobal(version4: bytes[12...])
    }
    if bytes.starts(with: [0x20, 0x02]) { return isGlobal(version4: bytes[2..<6]) }
    // Of 2001::/23 nothing is reached from outside, and the other two are for documents.
    if bytes.starts(with: [0x20, 0x01]), bytes[2] < 2 { return false }
    if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return false }
    if bytes.starts(with: [0x3F, 0xFF]), bytes[2] < 0x10 { return false }
    return bytes[0] & 0xE0 == 0x20
  }
}
