internal import JSONValues
internal import StorekeeperLocks
internal import StorekeeperCrypto

/// The result of verifying one header: its chain, and the SHA-256 state after the header.
final class ChainVerdict: Sendable {
  let chain: CertificateChain
  /// The period in which all three certificates are valid.
  let validity: Certificate.Validity
  private let hashedHeader: DigestPrefix
  private let key: PublicKey

  /// Creates a verdict from a chain that was verified for exactly this header segment.
  init(
    chain: CertificateChain, key: PublicKey, header: ArraySlice<UInt8>
  ) throws(OpenSSLFailure) {
    self.chain = chain
    self.key = key
    validity = chain.validity
    hashedHeader = try DigestPrefix(header)
  }

  /// Returns whether the leaf's key signed the header followed by the remainder (RFC 7518 section
  /// 3.4).
  func isSigned(
    _ remainder: ArraySlice<UInt8>, by signature: ECDSASignature
  ) throws(OpenSSLFailure) -> Bool {
    let digest = try hashedHeader.digest(appending: remainder)
    return try key.isValid(signature, forDigest: digest)
  }
}

/// A cache of verdicts on certificates, so that another token or receipt with the same ones needs
/// no further work on them.
///
/// The key is the exact bytes that present the certificates, for a token its header segment. The
/// cache holds only positive verdicts, up to a fixed number and for a limited time. A verdict is
/// inserted only after a signature under those certificates was verified; where the signature does
/// not cover them, only if they consist of nothing but the chain. So nobody without Apple's key can
/// evict other verdicts.
package final class ChainCache<Verdict: Sendable>: Sendable {
  private struct Entry {
    let verdict: Verdict
    let expiry: Double
    var lastUse: UInt64
  }

  private struct State {
    var entries: [PresentationKey: Entry] = [:]
    var uses: UInt64 = 0
  }

  private let bound: Int
  private let lifetime: Double
  private let state = Locked(State())

  /// Creates a cache of up to `bound` verdicts, each kept for `lifetime`.
  package init(bound: Int, lifetime: Duration) {
    self.bound = bound
    self.lifetime = lifetime.timeInterval
  }

  /// The number of verdicts, including expired ones.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Returns the cached verdict on certificates, if it has not expired at this time (seconds since
  /// 1970 UTC).
  package func verdict(on presentation: ArraySlice<UInt8>, at now: Double) -> Verdict? {
    let key = PresentationKey(bytes: presentation)
    return state.withLock { state in
      guard let index = state.entries.index(forKey: key) else { return nil }
      guard state.entries.values[index].expiry > now else {
        state.entries.remove(at: index)
        return nil
      }
      state.uses += 1
      state.entries.values[index].lastUse = state.uses
      return state.entries.values[index].verdict
    }
  }

  /// Inserts a verdict; a full cache evicts the least recently used one.
  package func insert(_ verdict: Verdict, on presentation: ArraySlice<UInt8>, at now: Double) {
    guard bound > 0 else { return }
    // A copy of these bytes alone does not keep the rest of the token or receipt alive.
    let key = PresentationKey(bytes: Array(presentation)[...])
    state.withLock { state in
      if state.entries.count >= bound, state.entries[key] == nil,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.entries[oldest.key] = nil
      }
      state.uses += 1
      state.entries[key] = Entry(verdict: verdict, expiry: now + lifetime, lastUse: state.uses)
    }
  }
}

/// The bytes that present certificates, as a key.
private struct PresentationKey: Hashable, Sendable {
  let bytes: ArraySlice<UInt8>

  static func == (left: PresentationKey, right: PresentationKey) -> Bool {
    left.bytes.equals(right.bytes)
  }

  /// Hashes the length and a prefix in which leaves differ by their serial number.
  ///
  /// Only keys under Apple's signature are cached, so nobody else can cause many collisions.
  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes.count)
    unsafe bytes.prefix(256).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
