public import HTTPMessages
package import StorekeeperCrypto
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An OCSP responder in memory for the certificates of a test authority.
///
/// It is an ``/HTTPMessages/HTTPTransport``: pass it to a revocation checker instead of a network
/// transport. Its answers are really signed, and report all certificates as good unless told
/// otherwise.
///
/// ```swift
/// responder.setReply(.revoked, about: .leaf)
/// ```
public final class TestRevocationResponder: HTTPTransport {
  /// The certificates of the authority that a reply concerns.
  public enum Role: Hashable, Sendable, CaseIterable {
    /// The certificates that sign data.
    case leaf
    /// The certificates that issued the leaves.
    case intermediate
  }

  private struct State {
    var served: [OCSPCertificateID: Served] = [:]
    var replies: [Role: Reply] = [:]
    var requests: [HTTPRequestMessage] = []
    var counts: [Role: Int] = [:]
    var observers = CountObservers()
    var held: [Role: [AsyncStream<Void>.Continuation]] = [:]
  }

  /// A counted request and its reply.
  private struct Taken {
    let served: Served
    let reply: Reply
    /// A stream that ends when the reply may be sent; nil if it may be sent at once.
    let hold: AsyncStream<Void>?
  }

  private let state = Locked(State())
  private let now: @Sendable () -> Date
  private let lifetime: Int

  /// Creates a responder without certificates, whose answers are current for `lifetime` seconds.
  package init(lifetime: Int = 86_400, now: @escaping @Sendable () -> Date) {
    self.lifetime = lifetime
    self.now = now
  }

  /// Adds a certificate; its issuer's key signs the answers about it.
  package func serve(
    _ certificate: Certificate, as role: Role, issuedBy issuer: Certificate, issuerKey: PrivateKey
  ) throws {
    let id = try OCSPCertificateID(of: certificate, issuedBy: issuer)
    let served = Served(role: role, certificate: certificate, issuer: issuer, issuerKey: issuerKey)
    state.withLock { $0.served[id] = served }
  }

  /// Sets the reply to requests about certificates of a role.
  public func setReply(_ reply: Reply, about role: Role) {
    state.withLock { $0.replies[role] = reply }
  }

  /// Holds back replies to requests about certificates of a role until ``release(_:)``.
  public func hold(_ role: Role) { state.withLock { $0.held[role] = $0.held[role] ?? [] } }

  /// Sends the replies that were held back, and holds back no more.
  public func release(_ role: Role) {
    let held = state.withLock { $0.held.removeValue(forKey: role) ?? [] }
    for continuation in held { continuation.finish() }
  }

  /// Returns the number of requests about certificates of a role, whatever the reply.
  public func queryCount(about role: Role) -> Int { state.withLock { $0.counts[role] ?? 0 } }

  /// Waits for at least this many requests about known certificates.
  public func queries(reach count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.counts.values.reduce(0, +) >= count { return true }
        state.observers.add(continuation, until: count)
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// The received requests, in order, including malformed ones.
  public var requests: [HTTPRequestMessage] { state.withLock { $0.requests } }

  /// Answers a request like a responder (RFC 6960 appendix A.1), or with the reply that was set.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` if the reply says so.
  public func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    state.withLock { $0.requests.append(request) }
    guard request.method == .post else { return HTTPResponseMessage(status: .methodNotAllowed) }
    guard request.headers[.contentType] == "application/ocsp-request" else {
      return HTTPResponseMessage(status: .unsupportedMediaType)
    }
    guard let query = OCSPReceivedQuery(der: request.body) else {
      return Self.response(try OCSPAnswerBuilder.declined(status: 1))
    }
    guard let taken = take(query) else {
      return Self.response(try OCSPAnswerBuilder.declined(status: 6))
    }
    if let hold = taken.hold {
      for await _ in hold {}
      try Task.checkCancellation()
    }
    return try response(to: query, about: taken.served, reply: taken.reply)
  }

  /// Counts a query and finds its reply; nil for an unknown certificate.
  private func take(_ query: OCSPReceivedQuery) -> Taken? {
    let (taken, observers) = state.withLock {
      state -> (Taken?, [CheckedContinuation<Void, Never>]) in
      guard let served = state.served[query.certificateID] else { return (nil, []) }
      let role = served.role
      state.counts[role, default: 0] += 1
      var hold: AsyncStream<Void>?
      if state.held[role] != nil {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.held[role]?.append(continuation)
        hold = stream
      }
      let taken = Taken(served: served, reply: state.replies[role] ?? .good, hold: hold)
      return (taken, state.observers.take(reachedBy: state.counts.values.reduce(0, +)))
    }
    for continuation in observers { continuation.resume() }
    return taken
  }

  private func response(
    to query: OCSPReceivedQuery, about served: Served, reply: Reply
  ) throws -> HTTPResponseMessage {
    switch reply {
    case .answer(let answer):
      let second = Int(now().timeIntervalSince1970.rounded(.down))
      return Self.response(
        try Self.sign(answer, to: query, about: served, at: second, lifetime: lifetime))
    case .declined(let status): return Self.response(try OCSPAnswerBuilder.declined(status: status))
    case .httpStatus(let status): return HTTPResponseMessage(status: status)
    case .body(let bytes): return Self.response(bytes)
    case .transportFailure(let reason): throw HTTPTransportFailure(reason)
    }
  }

  private static func response(_ body: [UInt8]) -> HTTPResponseMessage {
    HTTPResponseMessage(
      status: .ok, headers: [.contentType: "application/ocsp-response"], body: body)
  }
}

extension TestAuthority {
  /// Creates an OCSP responder for this authority's leaf and intermediate.
  ///
  /// A certificate is only checked if it names the URL of a responder, which can be any:
  ///
  /// ```swift
  /// let authority = try TestAuthority {
  ///   $0.leaf.revocationResponder = "http://ocsp.example/leaf"
  ///   $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
  /// }
  /// let responder = try authority.revocationResponder(now: { Date() })
  /// ```
  public func revocationResponder(
    now: @escaping @Sendable () -> Date
  ) throws -> TestRevocationResponder {
    let responder = TestRevocationResponder(now: now)
    try responder.serve(leaf, as: .leaf, issuedBy: intermediate, issuerKey: intermediateKey)
    try responder.serve(intermediate, as: .intermediate, issuedBy: root, issuerKey: rootKey)
    return responder
  }
}

extension TestRevocationResponder {
  /// The reply of the responder to a request.
  public enum Reply: Hashable, Sendable {
    case answer(Answer)
    /// An OCSP status other than success, such as 3 for try later (RFC 6960 section 4.2.1).
    case declined(status: Int)
    case httpStatus(HTTPStatusCode)
    /// Any bytes, with the HTTP status 200.
    case body([UInt8])
    /// No reply: the exchange fails.
    case transportFailure(HTTPTransportFailure.Reason)

    /// A valid answer: the certificate is not revoked.
    public static let good = Reply.answer(.good)
    /// A valid answer: the certificate is revoked.
    public static let revoked = Reply.answer(.revoked)
    /// A valid answer: the responder does not know the certificate.
    public static let unknown = Reply.answer(.unknown)
  }

  /// The content of a signed answer, or its defect.
  public enum Answer: Hashable, Sendable, CaseIterable {
    case good
    case revoked
    /// The responder does not know the certificate.
    case unknown
    /// Good, but without the nonce, like pre-produced answers.
    case withoutNonce
    /// Good, but with another nonce.
    case otherNonce
    /// Good, but about another certificate.
    case otherCertificate
    /// Good, but expired an hour ago.
    case stale
    /// Good, but without an expiry.
    case withoutEnd
    /// Revoked, but signed by an unknown key.
    case stranger
    /// Revoked, but signed by a certificate of the issuer that is not authorized for this.
    case withoutPurpose
  }
}

extension TestRevocationResponder {
  /// A certificate that the responder answers about, and the issuer that signs the answers.
  struct Served {
    let role: Role
    let certificate: Certificate
    let issuer: Certificate
    let issuerKey: PrivateKey
  }

  /// Signs an answer, with its defect if it has one.
  static func sign(
    _ answer: Answer, to query: OCSPReceivedQuery, about served: Served, at now: Int, lifetime: Int
  ) throws -> [UInt8] {
    var builder = OCSPAnswerBuilder(thisUpdate: now, nextUpdate: now + lifetime)
    var signer = (certificate: served.issuer, key: served.issuerKey)
    switch answer {
    case .good: break
    case .revoked: builder.status = .revoked(at: now)
    case .unknown: builder.status = .unknown
    case .withoutNonce: builder.nonce = .absent
    case .otherNonce: builder.nonce = .other([1, 2, 3])
    case .otherCertificate:
      let other = try certificate(issuedBy: served, at: now).certificate
      builder.certificateID = try OCSPCertificateID(of: other, issuedBy: served.issuer)
    case .stale:
      builder.thisUpdate = now - 7200
      builder.nextUpdate = now - 3600
    case .withoutEnd: builder.nextUpdate = nil
    case .stranger:
      builder.status = .revoked(at: now)
      signer = try certificate(issuedBy: nil, at: now)
    case .withoutPurpose:
      builder.status = .revoked(at: now)
      signer = try certificate(issuedBy: served, at: now)
    }
    return try builder.answer(to: query, signedBy: signer.certificate, key: signer.key)
  }

  /// Creates a certificate of the issuer without authorization, or a self-signed one with it.
  private static func certificate(
    issuedBy served: Served?, at now: Int
  ) throws -> (certificate: Certificate, key: PrivateKey) {
    var builder = CertificateBuilder(
      subject: "Another certificate", serialNumber: 999,
      validity: .init(notBefore: now - 86_400, notAfter: now + 86_400))
    builder.mayAnswerRevocation = served == nil
    let key = try PrivateKey(generating: .p256)
    let certificate = try builder.certificate(
      for: key, issuedBy: served?.issuer, signedWith: served?.issuerKey ?? key)
    return (certificate, key)
  }
}
