internal import StorekeeperLocks
internal import StorekeeperCrypto
internal import HTTPMessages

extension RevocationChecker {
  /// The tolerated difference between a responder's clock and ours, in seconds.
  private static let leeway = 300

  /// Waits for an answer about a certificate, sharing a request that is already under way.
  ///
  /// When the deadline passes or the task is cancelled, the request goes on for the other waiters;
  /// it is cancelled when the last one leaves.
  func ask(
    about certificate: IssuedCertificate, at address: String, before deadline: Duration
  ) async -> Waited<Result<OCSPAnswer, OnlineCheckFailure>> {
    guard !Task.isCancelled else { return .cancelled }
    let rest = deadline - uptime.elapsed
    guard rest > .zero else { return .timeUp }
    return await clock.wait(atMost: rest) {
      await self.flights.value(for: certificate) {
        await self.freshAnswer(about: certificate, at: address)
      }
    }
  }

  /// Asks the responder, once for all waiters, and caches the answer.
  private func freshAnswer(
    about certificate: IssuedCertificate, at address: String
  ) async -> Result<OCSPAnswer, OnlineCheckFailure> {
    // An answer may have arrived since the caller looked: each is cached before its request ends.
    let now = second
    if let known = answers.withLock({ $0.answer(about: certificate, at: now) }) {
      return .success(known)
    }
    // The whole budget, because other waiters may have more time left than the first one.
    let waited = await clock.wait(atMost: configuration.timeBudget) {
      await self.exchange(about: certificate, at: address)
    }
    switch waited {
    case .value(let result): return result
    case .timeUp: return .failure(.timeBudgetSpent)
    case .cancelled: return .failure(.transport)
    }
  }

  /// Sends one request and evaluates the answer.
  private func exchange(
    about certificate: IssuedCertificate, at address: String
  ) async -> Result<OCSPAnswer, OnlineCheckFailure> {
    do {
      let query = try OCSPQuery(
        about: certificate.certificate, issuedBy: certificate.issuer,
        nonce: SecureRandom.bytes(count: OCSPQuery.nonceCount))
      let response = try await transport.send(request(query, to: address))
      guard response.status == .ok else { return .failure(.httpStatus(response.status.code)) }
      let now = second
      let answer = try query.answer(from: response.body, at: now, leeway: Self.leeway)
      answers.withLock { $0.keep(answer, about: certificate, at: now) }
      return .success(answer)
    } catch {
      return .failure(OnlineCheckFailure(error))
    }
  }

  /// Returns the HTTP request for a query (RFC 6960 appendix A.1).
  private func request(_ query: OCSPQuery, to address: String) -> HTTPRequestMessage {
    var request = HTTPRequestMessage(
      method: .post, url: address,
      headers: [
        .contentType: "application/ocsp-request", .accept: "application/ocsp-response",
      ],
      body: query.der, timeout: configuration.timeBudget, responseLimit: OCSPQuery.answerLimit)
    request.call = "certificateStatus"
    return request
  }
}
