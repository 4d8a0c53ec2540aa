internal import StorekeeperCrypto
internal import StorekeeperLocks

extension RevocationChecker {
  /// Checks the leaf and the intermediate of each chain, each certificate once.
  ///
  /// All requests share one time budget; cached answers need no request. Without chains the result
  /// is ``RevocationStatus/notRequested``. A cancelled task gets a retryable failure in either
  /// mode.
  package func check(
    _ chains: [CertificateChain]
  ) async throws(SignedDataFailure) -> RevocationStatus {
    guard !chains.isEmpty else { return .notRequested }
    let deadline = uptime.elapsed + configuration.timeBudget
    var asked: Set<IssuedCertificate> = []
    var unchecked: [UncheckedCertificate] = []
    for chain in chains {
      for (index, certificate) in chain.revocable.enumerated() {
        guard asked.insert(certificate).inserted,
          let reason = try await check(certificate, at: index, before: deadline)
        else { continue }
        unchecked.append(UncheckedCertificate(index: index, reason: reason))
      }
    }
    return unchecked.isEmpty ? .good : .notChecked(unchecked)
  }

  /// Checks one certificate; returns nil when it is good, or the reason why there is no answer.
  private func check(
    _ certificate: IssuedCertificate, at index: Int, before deadline: Duration
  ) async throws(SignedDataFailure) -> UncheckedCertificate.Reason? {
    let now = second
    if certificate.certificate.validity.notAfter < now { return .expired }
    guard let address = certificate.responder else {
      switch configuration.missingResponder {
      case .pass: return .noResponder
      case .refuse: throw .onlineCheckFailed(.noResponder)
      }
    }
    if let known = answers.withLock({ $0.answer(about: certificate, at: now) }) {
      return try evaluate(known, at: index)
    }
    switch await ask(about: certificate, at: address, before: deadline) {
    case .value(.success(let answer)): return try evaluate(answer, at: index)
    case .value(.failure(let failure)): return try accept(failure)
    case .timeUp: return try accept(.timeBudgetSpent)
    // A cancelled check is inconclusive, so not even the soft mode accepts the data.
    case .cancelled: throw .onlineCheckFailed(.cancelled)
    }
  }

  /// Evaluates a signed answer; returns nil when the certificate is good.
  private func evaluate(
    _ answer: OCSPAnswer, at index: Int
  ) throws(SignedDataFailure) -> UncheckedCertificate.Reason? {
    switch answer {
    case .good: return nil
    case .revoked: throw .certificateRevoked(index)
    case .unknown: throw .certificateStatusUnknown(index)
    }
  }

  /// Accepts or refuses a missing answer, depending on the mode.
  private func accept(
    _ failure: OnlineCheckFailure
  ) throws(SignedDataFailure) -> UncheckedCertificate.Reason {
    switch configuration.mode {
    case .hard: throw .onlineCheckFailed(failure)
    case .soft: return .failed(failure)
    }
  }
}

/// A certificate and its issuer from a verified chain: the subject of a revocation check.
struct IssuedCertificate: Hashable, Sendable {
  let certificate: Certificate
  let issuer: Certificate

  static func == (one: IssuedCertificate, other: IssuedCertificate) -> Bool {
    one.certificate.der == other.certificate.der && one.issuer.der == other.issuer.der
  }

  func hash(into hasher: inout Hasher) {
    // The end of the signature, which differs between certificates.
    hasher.combine(certificate.der.suffix(32))
  }

  /// The first responder with an http or https address, or nil.
  var responder: String? {
    certificate.revocationResponders.first { address in
      ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
        && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }
}

extension CertificateChain {
  /// The certificates that can be checked: the leaf, then the intermediate.
  var revocable: [IssuedCertificate] {
    [
      IssuedCertificate(certificate: leaf, issuer: intermediate),
      IssuedCertificate(certificate: intermediate, issuer: anchor),
    ]
  }
}
