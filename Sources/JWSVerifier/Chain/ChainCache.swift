internal import StorekeeperLocks
internal import StorekeeperCrypto

/// What verifying one header came to: the chain, and the state of SHA-256 after the header.
final class ChainVerdict: Sendable {
  let chain: CertificateChain
  /// The validity of all three certificates.
  let validity: Certificate.Validity
  private let hashedHeader: SHA256Prefix
  private let key: PublicKey

  /// Takes a chain that was verified for exactly this text of a header segment.
  init(
    chain: CertificateChain, key: PublicKey, header: ArraySlice<UInt8>
  ) throws(OpenSSLFailure) {
    self.chain = chain
    self.key = key
    validity = chain.validity
    hashedHeader = try SHA256Prefix(header)
  }

  /// Whether the leaf's key signed the header followed by the remainder (RFC 7518 section 3.4).
  func isSigned(
    _ remainder: ArraySlice<UInt8>, by signature: ECDSASignature
  ) throws(OpenSSLFailure) -> Bool {
    let digest = try hashedHeader.digest(appending: remainder)
    return try key.isValid(signature, forDigest: digest)
  }
}

/// Remembers the verdicts on presented certificates, so that a second token or receipt with the same
/// ones costs no work on them.
///
/// Holds positive verdicts only, by the exact bytes that present the certificates (of a token, the
/// header segment), up to a hard bound and for a limited time (contract, section 1.4). A verdict
/// enters after a signature under those certificates was verified, and, where the signature does not
/// cover them, only if they are nothing but the chain; so nobody without Apple's key can push others
/// out.
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

  /// Keeps up to `bound` verdicts for `lifetime` seconds each.
  package init(bound: Int, lifetime: Double) {
    self.bound = bound
    self.lifetime = lifetime
  }

  /// How many verdicts are held, expired ones included.
  package var count: Int { state.withLock { $0.entries.count } }

  /// The verdict on presented certificates, if one is held at this moment (seconds since 1970 UTC).
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

  /// Remembers a verdict; when full, the one not used for the longest goes.
  package func insert(_ verdict: Verdict, on presentation: ArraySlice<UInt8>, at now: Double) {
    guard bound > 0 else { return }
    // A copy of these alone, so that the rest of the token or receipt is not kept alive.
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

/// The exact bytes that present certificates.
private struct PresentationKey: Hashable, Sendable {
  let bytes: ArraySlice<UInt8>

  static func == (left: PresentationKey, right: PresentationKey) -> Bool {
    left.bytes.equals(right.bytes)
  }

  /// Feeds the length and a part in which leaves differ: with Apple, their serial number.
  ///
  /// Nobody without Apple's key can make many that are held, so nobody can make many that collide.
  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes.count)
    unsafe bytes.prefix(256).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
