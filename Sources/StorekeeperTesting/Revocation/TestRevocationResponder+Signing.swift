internal import StorekeeperCrypto

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
