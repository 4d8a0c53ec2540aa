internal import StorekeeperLocks
package import StorekeeperCrypto

/// Builds chains of three from certificates that nobody has looked at, up to our own trust anchors.
///
/// What it finds about an authority (an intermediate under an anchor) can be remembered, so that a
/// new leaf below it costs one signature, not two. Times are judged apart, by
/// ``CertificateChain/checkValidity(at:)``; of several anchors that issued an intermediate they choose
/// one that is valid.
package final class ChainVerifier: Sendable {
  private let rules: ChainRules
  private let pinnedRoots: [PinnedRoot]
  private let anchors: [Certificate]
  private let authorities = Locked<[AuthorityKey: Authority]>([:])

  /// How many authorities are remembered; Apple has used one for JWS in five years.
  private static let rememberedAuthorities = 16

  /// Apple's mark on a Worldwide Developer Relations intermediate.
  package static let intermediateMarker = "1.2.840.113635.100.6.2.1"
  /// Apple's mark on a leaf that signs data of the App Store.
  package static let leafMarker = "1.2.840.113635.100.6.11.1"

  package init(anchors: [TrustAnchor], rules: ChainRules) {
    self.rules = rules
    var pinnedRoots: [PinnedRoot] = []
    var certificates: [Certificate] = []
    for anchor in anchors {
      switch anchor.kind {
      case .fingerprint(let root): pinnedRoots.append(root)
      case .certificate(let anchor): certificates.append(anchor.certificate)
      }
    }
    self.pinnedRoots = pinnedRoots
    self.anchors = certificates
  }

  /// The three certificates of a token, parsed: leaf, and either a remembered authority or the parts of one
  /// (contract, section 1.1, check 10).
  func candidate(_ ders: [[UInt8]]) throws(ChainFailure) -> Candidate {
    guard let leaf = Certificate(der: ders[0]) else { throw .certificateMalformed(0) }
    let key = AuthorityKey(intermediate: ders[1], root: ders[2])
    if let known = authorities.withLock({ $0[key] }) {
      return Candidate(leaf: leaf, key: key, authority: .known(known))
    }
    let seen = BuiltInIntermediate.seenCertificate(der: ders[1])
    guard let intermediate = seen ?? Certificate(der: ders[1]) else {
      throw .certificateMalformed(1)
    }
    let root = try pinnedRoot(ders[2])
    return Candidate(leaf: leaf, key: key, authority: .unknown(intermediate, root: root))
  }

  /// Whether a fingerprint names this certificate.
  private func isPinned(_ certificate: Certificate) -> Bool {
    guard !pinnedRoots.isEmpty, let fingerprint = try? SHA256.digest(of: certificate.der) else {
      return false
    }
    return pinnedRoots.contains { $0.isNamed(by: fingerprint) }
  }

  /// The third certificate, when it is one that a fingerprint names.
  ///
  /// With anchors in DER only, the third certificate takes no part (section 1.2).
  private func pinnedRoot(_ der: [UInt8]) throws(ChainFailure) -> Certificate? {
    guard !pinnedRoots.isEmpty, let fingerprint = try? SHA256.digest(of: der) else { return nil }
    for root in pinnedRoots {
      if let certificate = try root.certificate(der: der, sha256: fingerprint) {
        return certificate
      }
    }
    // Nobody's root; it still has to be a certificate (check 10).
    guard Certificate(der: der) != nil else { throw .certificateMalformed(2) }
    return nil
  }

  /// The verified chain (checks 13 to 18).
  func chain(
    of candidate: Candidate, at moment: Double
  ) throws(ChainFailure) -> CertificateChain {
    try chain(of: candidate.leaf, under: try authority(of: candidate, at: moment), at: moment)
  }

  /// The verified chain of a leaf whose issuers are among other certificates, in no order.
  ///
  /// A stranger may be named like an issuer, so each certificate of that name is tried; if none
  /// leads to an anchor, the reason of the first that names one.
  package func chain(
    of leaf: Certificate, among certificates: [Certificate], at moment: Double
  ) throws(ChainFailure) -> CertificateChain {
    let pinned = certificates.filter(isPinned)
    var reason = ChainFailure.untrustedRoot
    for intermediate in certificates where leaf.names(asIssuer: intermediate) {
      do throws(ChainFailure) {
        let roots = pinned.filter { intermediate.names(asIssuer: $0) }
        let authority = try authority(of: intermediate, presentedWith: roots, at: moment)
        return try chain(of: leaf, under: authority, at: moment)
      } catch {
        if reason == .untrustedRoot { reason = error }
      }
    }
    throw reason
  }

  /// Checks the leaf's place under an authority (checks 14 to 18).
  private func chain(
    of leaf: Certificate, under authority: Authority, at moment: Double
  ) throws(ChainFailure) -> CertificateChain {
    try check(leaf, issuedBy: authority.intermediate, at: 0)
    guard !leaf.isAuthority else { throw .chainInvalid(.leafIsAuthority) }
    let chain = CertificateChain(
      leaf: leaf, intermediate: authority.intermediate, anchor: authority.anchor)
    try chain.checkValidity(at: moment)
    guard chain.intermediate.hasExtension(Self.intermediateMarker) else {
      throw .missingIntermediateMarker
    }
    guard chain.leaf.hasExtension(Self.leafMarker) else { throw .missingLeafMarker }
    guard chain.leaf.publicKey?.kind == rules.leafKey else { throw .unsupportedLeafKey }
    return chain
  }

  /// Remembers the authority of a chain under which a signature was verified.
  func remember(_ chain: CertificateChain, of candidate: Candidate) {
    guard case .unknown = candidate.authority else { return }
    let authority = Authority(intermediate: chain.intermediate, anchor: chain.anchor)
    authorities.withLock { authorities in
      // Apple has a handful, so this happens to nobody; forgetting all costs one signature each.
      if authorities.count >= Self.rememberedAuthorities { authorities.removeAll() }
      authorities[candidate.key] = authority
    }
  }

  private func authority(
    of candidate: Candidate, at moment: Double
  ) throws(ChainFailure) -> Authority {
    switch candidate.authority {
    case .known(let known):
      if known.anchor.validity.contains(moment) { return known }
      let root = try pinnedRoot(candidate.key.root)
      return try authority(
        of: known.intermediate, presentedWith: [root].compactMap(\.self), at: moment)
    case .unknown(let intermediate, let root):
      return try authority(
        of: intermediate, presentedWith: [root].compactMap(\.self), at: moment)
    }
  }

  /// The anchors that a chain may end at (check 13), those that are valid first.
  ///
  /// A renewed root bears the name and the key of the old one, so both issued the intermediate.
  private func possibleAnchors(
    _ intermediate: Certificate, _ roots: [Certificate], at moment: Double
  ) throws(ChainFailure) -> [Certificate] {
    let possible = roots + anchors.filter { intermediate.names(asIssuer: $0) }
    guard !possible.isEmpty else { throw .untrustedRoot }
    return possible.filter { $0.validity.contains(moment) }
      + possible.filter { !$0.validity.contains(moment) }
  }

  /// The intermediate under the first anchor that issued it; if none did, the reason of the first.
  private func authority(
    of intermediate: Certificate, presentedWith roots: [Certificate], at moment: Double
  ) throws(ChainFailure) -> Authority {
    var reason: ChainFailure?
    for anchor in try possibleAnchors(intermediate, roots, at: moment) {
      do throws(ChainFailure) {
        // Where a system forbids SHA-1, what it says of a signature is not passed over.
        let isKnown =
          intermediate.rsaDigest?.isPermitted != false
          && BuiltInIntermediate.isIssued(intermediate, by: anchor)
        try check(intermediate, issuedBy: anchor, at: 1, signature: isKnown ? .known : .verified)
        // RFC 5280 section 4.2.1.9: the intermediate is one authority below the anchor.
        if let allowed = anchor.pathLength, allowed < 1 { throw .chainInvalid(.pathLength) }
        guard intermediate.isAuthority else { throw .notACertificateAuthority(1) }
        return Authority(intermediate: intermediate, anchor: anchor)
      } catch {
        reason = reason ?? error
      }
    }
    throw reason ?? .untrustedRoot
  }

  /// Checks one link of the chain (checks 14 and 15).
  private func check(
    _ certificate: Certificate, issuedBy issuer: Certificate, at index: Int,
    signature: Certificate.SignatureCheck = .verified
  ) throws(ChainFailure) {
    do throws(Certificate.IssuanceFailure) {
      try certificate.checkIssued(
        by: issuer, securityLevel: rules.securityLevel, signature: signature)
    } catch {
      switch error {
      case .issuerName: throw .chainInvalid(.issuerName(index))
      case .signature: throw .chainInvalid(.signature(index))
      case .notAnAuthority: throw .notACertificateAuthority(index + 1)
      case .keyUsage: throw .chainInvalid(.keyUsage(index + 1))
      case .other(let code): throw .chainInvalid(.refused(index, code: code))
      }
    }
    if issuer.hasNameConstraints { throw .chainInvalid(.nameConstraints(index + 1)) }
    // RFC 5280 section 4.2: what is critical and not understood must be refused. The markers are
    // understood, critical or not.
    for (place, subject) in [(index, certificate), (index + 1, issuer)] {
      let known: Set = [Self.leafMarker, Self.intermediateMarker]
      if let type = subject.unknownCriticalExtension(besides: known) {
        throw .chainInvalid(.criticalExtension(place, type: type))
      }
    }
  }

  /// Certificates on their way to a chain.
  struct Candidate {
    fileprivate let leaf: Certificate
    fileprivate let key: AuthorityKey
    fileprivate let authority: AuthorityCandidate
  }

  fileprivate enum AuthorityCandidate {
    case known(Authority)
    case unknown(Certificate, root: Certificate?)
  }

  /// An intermediate whose anchor was found and whose signature was verified.
  fileprivate struct Authority: Sendable {
    let intermediate: Certificate
    let anchor: Certificate
  }

  fileprivate struct AuthorityKey: Hashable, Sendable {
    let intermediate: [UInt8]
    let root: [UInt8]

    /// Feeds the end of the intermediate, its signature; only verified authorities are held.
    func hash(into hasher: inout Hasher) {
      hasher.combine(intermediate.suffix(32))
    }
  }
}

/// What a kind of signed data asks of its chains.
package struct ChainRules: Sendable {
  /// OpenSSL's security level for the signatures on certificates.
  var securityLevel: Int
  /// The kind of key that signs.
  var leafKey: PublicKey.Kind

  /// Tokens: elliptic curves throughout (contract, section 1.1).
  package static let signedData = ChainRules(securityLevel: 2, leafKey: .p256)
  /// App receipts, and transaction receipts of iOS 6: RSA, and SHA-1 in all certificates until 2023,
  /// which any level above 0 refuses (sections 6.3 and 6.7).
  package static let receipt = ChainRules(securityLevel: 0, leafKey: .rsa)
}

extension CertificateChain {
  /// Checks that all three certificates are valid at a moment, in seconds since 1970 UTC (contract,
  /// section 1.1, check 16).
  package func checkValidity(at moment: Double) throws(ChainFailure) {
    for (index, certificate) in [leaf, intermediate, anchor].enumerated() {
      let validity = certificate.validity
      if moment > Double(validity.notAfter) { throw .certificateExpired(index) }
      if !validity.contains(moment) { throw .certificateNotYetValid(index) }
    }
  }
}
