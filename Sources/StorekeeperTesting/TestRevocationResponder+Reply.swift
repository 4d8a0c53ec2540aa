public import HTTPMessages

extension TestRevocationResponder {
  /// What the responder replies to a question.
  public enum Reply: Hashable, Sendable {
    /// A signed answer.
    case answer(Answer)
    /// An OCSP status other than success, such as 3 for try later (RFC 6960 section 4.2.1).
    case declined(status: Int)
    /// An HTTP status without a body.
    case httpStatus(HTTPStatusCode)
    /// Any bytes, with the HTTP status 200.
    case body([UInt8])
    /// No answer: the exchange fails on its way.
    case transportFailure(HTTPTransportFailure.Reason)

    /// A right answer: the certificate is not revoked.
    public static let good = Reply.answer(.good)
    /// A right answer: the certificate is revoked.
    public static let revoked = Reply.answer(.revoked)
    /// A right answer: the responder does not know the certificate.
    public static let unknown = Reply.answer(.unknown)
  }

  /// What a signed answer says, or what is wrong with it.
  public enum Answer: Hashable, Sendable, CaseIterable {
    /// The certificate is not revoked.
    case good
    /// The certificate is revoked.
    case revoked
    /// The responder does not know the certificate.
    case unknown
    /// Good, without repeating the nonce, as prepared answers are.
    case withoutNonce
    /// Good, but with another nonce.
    case otherNonce
    /// Good, but about another certificate.
    case otherCertificate
    /// Good, but only until an hour ago.
    case stale
    /// Good, but it does not say until when.
    case withoutEnd
    /// Revoked, but signed by a stranger.
    case stranger
    /// Revoked, but signed by a certificate of the issuer that was not made for it.
    case withoutPurpose
  }
}
