public import HTTPMessages

extension TestRevocationResponder {
  /// The reply of the responder to a request.
  public enum Reply: Hashable, Sendable {
    /// A signed answer.
    case answer(Answer)
    /// An OCSP status other than success, such as 3 for try later (RFC 6960 section 4.2.1).
    case declined(status: Int)
    /// An HTTP status without a body.
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
    /// The certificate is not revoked.
    case good
    /// The certificate is revoked.
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
