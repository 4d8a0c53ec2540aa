internal import StorekeeperLocks
internal import StorekeeperCrypto

extension RevocationChecker {
  /// Asks about the leaf, then the intermediate, of each chain, each certificate once.
  ///
  /// All questions share one time budget. Answers that still hold cost nothing. Gives
  /// ``RevocationStatus/notRequested`` when there is no chain. A cancelled task gets a retryable
  /// failure in either mode.
  package func check(
    _ chains: [CertificateChain]
  ) async throws(SignedDataFailure) -> RevocationStatus {
    guard !chains.isEmpty else { return .notRequested }
    let deadline = uptime.elapsed + configuration.timeBudget
    var asked: Set<IssuedCertificate> = []
    var unchecked: [UncheckedCertificate] = []
    for chain in chains {
      for (place, certificate) in chain.revocable.enumerated() {
        guard asked.insert(certificate).inserted,
          let reason = try await check(certificate, at: place, before: deadline)
        else { continue }
        unchecked.append(UncheckedCertificate(place: place, reason: reason))
      }
    }
    return unchecked.isEmpty ? .good : .notChecked(unchecked)
  }

  /// Asks about one certificate; gives nil when it is good, or why there is no answer.
  private func check(
    _ certificate: IssuedCertificate, at place: Int, before deadline: Duration
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
      return try judge(known, at: place)
    }
    switch await ask(about: certificate, at: address, before: deadline) {
    case .value(.success(let answer)): return try judge(answer, at: place)
    case .value(.failure(let failure)): return try accept(failure)
    case .timeUp: return try accept(.timeBudgetSpent)
    // Whoever cancels learns nothing, so not even the soft mode passes the data.
    case .cancelled: throw .onlineCheckFailed(.cancelled)
    }
  }

  /// What a signed answer means; nil when the certificate is good.
  private func judge(
    _ answer: OCSPAnswer, at place: Int
  ) throws(SignedDataFailure) -> UncheckedCertificate.Reason? {
    switch answer {
    case .good: return nil
    case .revoked: throw .certificateRevoked(place)
    case .unknown: throw .certificateStatusUnknown(place)
    }
  }

  /// What it means that there is no answer.
  private func accept(
    _ failure: OnlineCheckFailure
  ) throws(SignedDataFailure) -> UncheckedCertificate.Reason {
    switch configuration.mode {
    case .hard: throw .onlineCheckFailed(failure)
    case .soft: return .failed(failure)
    }
  }
}
