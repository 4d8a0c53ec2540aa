internal import StorekeeperCrypto
internal import StorekeeperLocks

/// An intermediate of Apple's whose signature was verified before it was built in.
///
/// The signature need not be verified again: the SHA-256 digests of the intermediate and of its
/// root identify both. Everything else is checked each time, first of all that the root is trusted.
package struct BuiltInIntermediate: Hashable, Sendable {
  /// The SHA-256 digest of the intermediate in DER.
  package let fingerprint: [UInt8]
  /// The SHA-256 digest of its root in DER.
  package let root: [UInt8]

  /// Returns whether an intermediate is built in as issued by this root.
  static func isIssued(_ intermediate: Certificate, by root: Certificate) -> Bool {
    let isSeen = seen.withLock { seen in
      seen.contains { $0.intermediate === intermediate && $0.root === root }
    }
    return isSeen || isFound(intermediate, root)
  }

  /// Returns the parsed certificate for these bytes, if it is built in and has been seen.
  static func seenCertificate(der: [UInt8]) -> Certificate? {
    seen.withLock { seen in seen.first { $0.intermediate.der == der }?.intermediate }
  }

  private static func isFound(_ intermediate: Certificate, _ root: Certificate) -> Bool {
    guard let fingerprint = try? SHA256.digest(of: intermediate.der),
      let known = all.first(where: { $0.fingerprint == fingerprint })
    else { return false }
    guard (try? SHA256.digest(of: root.der)) == known.root else { return false }
    seen.withLock { seen in
      // One copy of each; other copies are compared by their fingerprints.
      if !seen.contains(where: { $0.intermediate.der == intermediate.der }) {
        seen.append(Pair(intermediate: intermediate, root: root))
      }
    }
    return true
  }

  /// A built-in intermediate and its root.
  private struct Pair {
    let intermediate: Certificate
    let root: Certificate
  }

  /// The pairs seen so far, shared by all verifiers; at most one for each built-in intermediate.
  private static let seen = Locked<[Pair]>([])

  /// The intermediates that have issued the signing certificates of tokens and receipts.
  ///
  /// Source: Apple's certificate authority page.
  package static let all =
    [
      // Worldwide Developer Relations G6, 2021 to 2036: tokens.
      BuiltInIntermediate(
        [
          0xbd, 0xd4, 0xed, 0x6e, 0x74, 0x69, 0x1f, 0x0c, 0x2b, 0xfd, 0x01, 0xbe, 0x02, 0x96, 0x19,
          0x7a, 0xf1, 0x37, 0x9e, 0x04, 0x18, 0xe2, 0xd3, 0x00, 0xef, 0xa9, 0xc3, 0xbe, 0xf6, 0x42,
          0xca, 0x30,
        ], under: .appleRootCAG3),
      // 2008 to 2016: receipts until 2015.
      BuiltInIntermediate(
        [
          0x64, 0xb3, 0x02, 0x91, 0x3f, 0x11, 0xca, 0x1b, 0x68, 0x06, 0x09, 0x3b, 0x76, 0xca, 0xde,
          0x7f, 0x7b, 0x12, 0x3b, 0xe0, 0xc0, 0x49, 0x24, 0xfd, 0xa8, 0x7f, 0x5f, 0x4e, 0x86, 0x47,
          0xf0, 0x51,
        ], under: .appleRootCA),
      // 2013 to 2023: receipts from 2015 to 2023.
      BuiltInIntermediate(
        [
          0xce, 0x05, 0x76, 0x91, 0xd7, 0x30, 0xf8, 0x9c, 0xa2, 0x5e, 0x91, 0x6f, 0x73, 0x35, 0xf4,
          0xc8, 0xa1, 0x57, 0x13, 0xdc, 0xd2, 0x73, 0xa6, 0x58, 0xc0, 0x24, 0x02, 0x3f, 0x8e, 0xb8,
          0x09, 0xc2,
        ], under: .appleRootCA),
      // G5, 2020 to 2030: receipts with SHA-256.
      BuiltInIntermediate(
        [
          0x53, 0xfd, 0x00, 0x82, 0x78, 0xe5, 0xa5, 0x95, 0xfe, 0x1e, 0x90, 0x8a, 0xe9, 0xc5, 0xe5,
          0x67, 0x5f, 0x26, 0x24, 0x32, 0x64, 0xa5, 0xa6, 0x43, 0x8c, 0x02, 0x3e, 0x3c, 0xe2, 0x87,
          0x07, 0x60,
        ], under: .appleRootCA),
      // G7, 2022 to 2023: receipts with SHA-1 in 2023.
      BuiltInIntermediate(
        [
          0x0f, 0x57, 0x0d, 0x75, 0x02, 0x37, 0x3a, 0x21, 0x02, 0xe2, 0x10, 0x6f, 0xaa, 0xa8, 0xfa,
          0x48, 0x44, 0x94, 0x4a, 0x07, 0xee, 0x67, 0x61, 0x98, 0x48, 0x4f, 0x4d, 0x6c, 0xe1, 0x5b,
          0xea, 0x47,
        ], under: .appleRootCA),
    ].compactMap(\.self)

  private init?(_ fingerprint: [UInt8], under anchor: TrustAnchor) {
    guard case .fingerprint(let root) = anchor.kind else { return nil }
    self.fingerprint = fingerprint
    self.root = root.fingerprint
  }
}
