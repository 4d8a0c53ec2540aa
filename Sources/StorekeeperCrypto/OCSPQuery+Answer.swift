extension OCSPQuery {
  /// How many bytes an answer may have; real ones have two to four thousand.
  package static let answerLimit = 65_536

  /// What a responder answered, when it may be believed (RFC 6960 section 3.2; contract on signed
  /// data, section 1.5).
  ///
  /// An answer counts only if it is signed by the issuer, or by a delegate that the issuer itself
  /// certified for signing such answers; is about this certificate; repeats our nonce when it carries
  /// one; and holds at the time given. *Not* checked: whether the delegate is itself revoked.
  ///
  /// `bytes` is an OCSPResponse in DER, from anyone; `now` is in seconds since 1970 UTC, and no other
  /// clock takes part; `leeway` is by how many seconds the responder's clock and ours may differ.
  package func answer(
    from bytes: [UInt8], at now: Int, leeway: Int
  ) throws(OCSPAnswerFailure) -> OCSPAnswer {
    guard bytes.count <= Self.answerLimit else { throw .malformed }
    let response = try OCSPBasicResponse(der: bytes)
    try response.checkSignature(of: issuer, at: now)
    guard !response.demandsUnknown else { throw .malformed }
    try response.checkNonce(nonce)
    return try response.answer(about: certificateID, at: now, leeway: leeway)
  }
}
