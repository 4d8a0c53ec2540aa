internal import JSONValues
internal import StorekeeperCrypto
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The maximum time by which a signing date may be ahead of our clock, in seconds.
private let clockLeeway = 300.0

extension SignedDataVerifier {
  /// Verifies one token.
  func verified<Payload: SignedPayload>(
    _ token: String, as kind: Payload.Type
  ) throws(SignedDataFailure) -> Verified<Payload> {
    var authentic = try authenticContent(of: token, signedDateMember: kind.signedDateMember)
    let payload: Payload = try self.authentic(&authentic.content)
    let identity = try payload.identity()
    return Verified(
      payload: payload,
      environment: try accepted(identity),
      bundleID: identity.provenBundleID,
      signedDate: authentic.content.date(in: kind.signedDateMember),
      token: token,
      payloadBytes: authentic.content.bytes,
      revocation: .notRequested,
      chain: authentic.chain)
  }

  /// Content with a verified signature and chain, of any app and environment.
  struct AuthenticContent {
    var content: PayloadContent
    let chain: CertificateChain
  }

  /// Verifies the signature of a token and the chain behind it.
  func authenticContent(
    of token: String, signedDateMember: String
  ) throws(SignedDataFailure) -> AuthenticContent {
    let now = now()
    let jws = try CompactJWS(signedData: token)
    let known = cache.verdict(on: jws.header, at: now.timeIntervalSince1970)
    let header = known == nil ? try jws.decoded(.header) : []
    var content = PayloadContent(bytes: try jws.decoded(.payload))
    let signatureBytes = try jws.decoded(.signature)
    var evidence = try evidence(known, header)
    guard let signature = ECDSASignature(rawBytes: signatureBytes) else {
      throw .signatureMalformed
    }
    let moment = try chainTime(of: &content, member: signedDateMember, now: now)
    if case .known(let verdict) = evidence,
      !verdict.validity.contains(moment.timeIntervalSince1970)
    {
      // A verdict counts only within its period of validity; otherwise the full check runs.
      evidence = try self.evidence(nil, try jws.decoded(.header))
    }
    let verdict = try verdict(on: evidence, header: jws.header, at: moment)
    // OpenSSL itself fails only for lack of memory, which verifies nothing either.
    guard (try? verdict.isSigned(jws.signedRemainder, by: signature)) == true else {
      throw .signatureInvalid
    }
    if case .presented(let candidate) = evidence {
      chainVerifier.remember(verdict.chain, of: candidate)
      cache.insert(verdict, on: jws.header, at: now.timeIntervalSince1970)
    }
    return AuthenticContent(content: content, chain: verdict.chain)
  }

  /// Decodes the payload of content whose signature was verified.
  func authentic<Payload: SignedPayload>(
    _ content: inout PayloadContent
  ) throws(SignedDataFailure) -> Payload {
    let bytes = VerifiedBytes(content.bytes)
    do throws(PayloadContent.Failure) {
      return try content.payload()
    } catch {
      switch error {
      case .notAnObject: throw .payloadMalformed(bytes)
      case .field(let failure): throw .fieldType(failure, payload: bytes)
      }
    }
  }

  /// The evidence for the signer: an earlier verdict on the same header, or certificates.
  private enum Evidence {
    case known(ChainVerdict)
    case presented(ChainVerifier.Candidate)
  }

  private func evidence(
    _ known: ChainVerdict?, _ header: [UInt8]
  ) throws(SignedDataFailure) -> Evidence {
    if let known { return .known(known) }
    let certificates = try TokenHeader(header).certificates
    do throws(ChainFault) {
      return .presented(try chainVerifier.candidate(certificates))
    } catch {
      throw .chain(error)
    }
  }

  private func verdict(
    on evidence: Evidence, header: ArraySlice<UInt8>, at moment: Date
  ) throws(SignedDataFailure) -> ChainVerdict {
    switch evidence {
    case .known(let verdict): return verdict
    case .presented(let candidate):
      let chain: CertificateChain
      do throws(ChainFault) {
        chain = try chainVerifier.chain(of: candidate, at: moment.timeIntervalSince1970)
      } catch {
        throw .chain(error)
      }
      guard let key = chain.leaf.publicKey,
        let verdict = try? ChainVerdict(chain: chain, key: key, header: header)
      else { throw .signatureInvalid }
      return verdict
    }
  }

  /// Returns the time at which the certificates must be valid.
  private func chainTime(
    of content: inout PayloadContent, member: String, now: Date
  ) throws(SignedDataFailure) -> Date {
    switch configuration.clockPolicy {
    case .now: return now
    case .signedDate:
      guard let candidate = content.date(in: member) else { return now }
      guard candidate <= now.addingTimeInterval(clockLeeway) else { throw .signedDateInFuture }
      return candidate
    }
  }

  /// Returns the environment of a payload, if the environment and the app are accepted.
  ///
  /// The environment comes first, because it decides whether the Apple ID is compared.
  func accepted(
    _ identity: PayloadIdentity
  ) throws(SignedDataFailure) -> AppStoreEnvironment {
    guard let environment = identity.environment else { throw .environmentMissing }
    guard environment.isKnown else { throw .environmentUnknown(environment.rawValue) }
    guard environments.contains(environment) else { throw .environmentNotAllowed(environment) }
    var candidates = apps
    if case .made(let bundleID) = identity.bundleID {
      candidates = apps.filter { bundleID?.isSameText(as: $0.bundleID) == true }
      guard !candidates.isEmpty else { throw .bundleMismatch(found: bundleID) }
    }
    if environment == .production, case .made(let found) = identity.appAppleID {
      guard let found, candidates.contains(where: { $0.appAppleID == found }) else {
        throw .appAppleIdMismatch(found: found)
      }
    }
    return environment
  }
}

extension PayloadIdentity {
  fileprivate var provenBundleID: String? {
    guard case .made(let bundleID) = bundleID else { return nil }
    return bundleID
  }
}
