package import StorekeeperCrypto
internal import StorekeeperLocks

/// Builds chains of three from untrusted certificates, up to the trust anchors.
///
/// A verified authority (an intermediate under an anchor) can be remembered, so that a new leaf
/// below it costs one signature instead of two. Validity periods are checked separately, by
/// ``CertificateChain/checkValidity(at:)``; where several anchors issued an intermediate, one that
/// is valid is chosen.
package final class ChainVerifier: Sendable {
  private let rules: ChainRules
  private let pinnedRoots: [PinnedRoot]
  private let anchors: [Certificate]
  private let authorities = Locked<[AuthorityKey: Authority]>([:])

  /// The maximum number of remembered authorities; Apple has used one for JWS in five years.
  private static let rememberedAuthorities = 16

  /// The type of Apple's marker extension in a Worldwide Developer Relations intermediate.
  package static let intermediateMarker = "1.2.840.113635.100.6.2.1"
  /// The type of Apple's marker extension in a leaf that signs App Store data.
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

  /// Parses the three certificates of a token, or finds the remembered authority that they name.
  func candidate(_ ders: [[UInt8]]) throws(ChainFault) -> Candidate {
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

  /// Returns whether a certificate has the fingerprint of a trust anchor.
  private func isPinned(_ certificate: Certificate) -> Bool {
    guard !pinnedRoots.isEmpty, let fingerprint = try? SHA256.digest(of: certificate.der) else {
      return false
    }
    return pinnedRoots.contains { $0.isNamed(by: fingerprint) }
  }

  /// Returns the third certificate of a token if it has the fingerprint of a trust anchor.
  ///
  /// If all anchors are given in DER, the third certificate is ignored.
  private func pinnedRoot(_ der: [UInt8]) throws(ChainFault) -> Certificate? {
    guard !pinnedRoots.isEmpty, let fingerprint = try? SHA256.digest(of: der) else { return nil }
    for root in pinnedRoots {
      if let certificate = try root.certificate(der: der, sha256: fingerprint) {
        return certificate
      }
    }
    // An unknown root; it must be a certificate all the same.
    guard Certificate(der: der) != nil else { throw .certificateMalformed(2) }
    return nil
  }

  /// Verifies the chain of a candidate.
  func chain(
    of candidate: Candidate, at moment: Double
  ) throws(ChainFault) -> CertificateChain {
    try chain(of: candidate.leaf, under: try authority(of: candidate, at: moment), at: moment)
  }

  /// Verifies the chain of a leaf whose issuers are among other certificates, in any order.
  ///
  /// Other certificates may bear the name of an issuer, so each one of that name is tried. If none
  /// leads to an anchor, the fault of the first that names one is thrown.
  package func chain(
    of leaf: Certificate, among certificates: [Certificate], at moment: Double
  ) throws(ChainFault) -> CertificateChain {
    let pinned = certificates.filter(isPinned)
    var reason = ChainFault.untrustedRoot
    for intermediate in certificates where leaf.names(asIssuer: intermediate) {
      do throws(ChainFault) {
        let roots = pinned.filter { intermediate.names(asIssuer: $0) }
        let authority = try authority(of: intermediate, presentedWith: roots, at: moment)
        return try chain(of: leaf, under: authority, at: moment)
      } catch {
        if reason == .untrustedRoot { reason = error }
      }
    }
    throw reason
  }

  /// Verifies a leaf under an authority.
  private func chain(
    of leaf: Certificate, under authority: Authority, at moment: Double
  ) throws(ChainFault) -> CertificateChain {
    try check(leaf, issuedBy: authority.intermediate, at: 0)
    guard !leaf.isAuthority else { throw .leafIsAuthority }
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
      // Apple has only a few, so this does not happen; forgetting all costs one signature each.
      if authorities.count >= Self.rememberedAuthorities { authorities.removeAll() }
      authorities[candidate.key] = authority
    }
  }

  /// The ends of the roots and intermediates that are known, in seconds since 1970.
  var authorityEnds: (roots: [Int], intermediates: [Int]) {
    let known = authorities.withLock { Array($0.values) }
    let roots = anchors + pinnedRoots.compactMap(\.seen) + known.map(\.anchor)
    return (roots.map(\.validity.notAfter), known.map(\.intermediate.validity.notAfter))
  }

  private func authority(
    of candidate: Candidate, at moment: Double
  ) throws(ChainFault) -> Authority {
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

  /// Returns the anchors at which a chain may end, valid ones first.
  ///
  /// A renewed root has the name and the key of the old one, so both issued the intermediate.
  private func possibleAnchors(
    _ intermediate: Certificate, _ roots: [Certificate], at moment: Double
  ) throws(ChainFault) -> [Certificate] {
    let possible = roots + anchors.filter { intermediate.names(asIssuer: $0) }
    guard !possible.isEmpty else { throw .untrustedRoot }
    return possible.filter { $0.validity.contains(moment) }
      + possible.filter { !$0.validity.contains(moment) }
  }

  /// Returns the intermediate under the first anchor that issued it, or throws the fault found with
  /// the first anchor.
  private func authority(
    of intermediate: Certificate, presentedWith roots: [Certificate], at moment: Double
  ) throws(ChainFault) -> Authority {
    var reason: ChainFault?
    for anchor in try possibleAnchors(intermediate, roots, at: moment) {
      do throws(ChainFault) {
        // Where the system forbids SHA-1, its refusal of a signature is not bypassed.
        let isKnown =
          intermediate.rsaDigest?.isPermitted != false
          && BuiltInIntermediate.isIssued(intermediate, by: anchor)
        try check(intermediate, issuedBy: anchor, at: 1, signature: isKnown ? .known : .verified)
        // RFC 5280 section 4.2.1.9: the intermediate is one authority below the anchor.
        if let allowed = anchor.pathLength, allowed < 1 { throw .pathLength }
        guard intermediate.isAuthority else { throw .notACertificateAuthority(1) }
        return Authority(intermediate: intermediate, anchor: anchor)
      } catch {
        reason = reason ?? error
      }
    }
    throw reason ?? .untrustedRoot
  }

  /// Verifies one link of the chain.
  private func check(
    _ certificate: Certificate, issuedBy issuer: Certificate, at index: Int,
    signature: Certificate.SignatureCheck = .verified
  ) throws(ChainFault) {
    do throws(Certificate.IssuanceFailure) {
      try certificate.checkIssued(
        by: issuer, securityLevel: rules.securityLevel, signature: signature)
    } catch {
      switch error {
      case .issuerName: throw .issuerName(index)
      case .signature: throw .signature(index)
      case .notAnAuthority: throw .notACertificateAuthority(index + 1)
      case .keyUsage: throw .keyUsage(index + 1)
      case .other(let code): throw .refused(index, code: code)
      }
    }
    if issuer.hasNameConstraints { throw .nameConstraints(index + 1) }
    // RFC 5280 section 4.2: an unknown critical extension must be refused. The markers are known,
    // critical or not.
    for (position, subject) in [(index, certificate), (index + 1, issuer)] {
      let known: Set = [Self.leafMarker, Self.intermediateMarker]
      if let type = subject.unknownCriticalExtension(besides: known) {
        throw .criticalExtension(position, type: type)
      }
    }
  }

  /// Parsed certificates whose chain is not verified yet.
  struct Candidate {
    fileprivate let leaf: Certificate
    fileprivate let key: AuthorityKey
    fileprivate let authority: AuthorityCandidate
  }

  fileprivate enum AuthorityCandidate {
    case known(Authority)
    case unknown(Certificate, root: Certificate?)
  }

  /// An intermediate with a verified signature, and the anchor that issued it.
  fileprivate struct Authority: Sendable {
    let intermediate: Certificate
    let anchor: Certificate
  }

  fileprivate struct AuthorityKey: Hashable, Sendable {
    let intermediate: [UInt8]
    let root: [UInt8]

    /// Hashes the end of the intermediate, which is its signature; only verified ones are keys.
    func hash(into hasher: inout Hasher) {
      hasher.combine(intermediate.suffix(32))
    }
  }
}

/// The requirements of a kind of signed data on its chains.
package struct ChainRules: Sendable {
  /// OpenSSL's security level for signatures on certificates.
  var securityLevel: Int
  var leafKey: PublicKey.Kind

  /// The rules for tokens: elliptic curves throughout.
  package static let signedData = ChainRules(securityLevel: 2, leafKey: .p256)
  /// The rules for app receipts and transaction receipts of iOS 6: RSA, and until 2023 SHA-1 in all
  /// certificates, which every level above 0 refuses.
  package static let receipt = ChainRules(securityLevel: 0, leafKey: .rsa)
}

extension CertificateChain {
  /// Checks that all three certificates are valid at a time in seconds since 1970 UTC.
  package func checkValidity(at moment: Double) throws(ChainFault) {
    for (index, certificate) in [leaf, intermediate, anchor].enumerated() {
      let validity = certificate.validity
      if moment > Double(validity.notAfter) { throw .certificateExpired(index) }
      if !validity.contains(moment) { throw .certificateNotYetValid(index) }
    }
  }
}

/// A chain of three certificates that a ``ChainVerifier`` verified.
package final class CertificateChain: Sendable {
  package let leaf: Certificate
  package let intermediate: Certificate
  package let anchor: Certificate

  package init(leaf: Certificate, intermediate: Certificate, anchor: Certificate) {
    self.leaf = leaf
    self.intermediate = intermediate
    self.anchor = anchor
  }

  /// Returns whether a certificate is one of the three.
  package func contains(_ certificate: Certificate) -> Bool {
    [leaf, intermediate, anchor].contains { $0.der == certificate.der }
  }

  /// The period in which all three are valid.
  package var validity: Certificate.Validity {
    leaf.validity.intersection(intermediate.validity).intersection(anchor.validity)
  }
}
