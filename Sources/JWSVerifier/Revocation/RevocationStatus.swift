/// The revocation status of the certificates behind verified data.
///
/// A revoked certificate has no status: it is the error
/// ``SignedDataFailure/certificateRevoked(_:)``.
///
/// Source: `Documentation/rules/app-store-rules.md`.
@nonexhaustive
public enum RevocationStatus: Hashable, Sendable {
  case notRequested
  /// The responders report that leaf and intermediate are not revoked.
  ///
  /// The answers may come from the cache, if they are current. The root is never checked.
  case good
  /// Nothing is known against the certificates, but at least one was not checked.
  ///
  /// The array is never empty; the leaf comes before the intermediate.
  case notChecked([UncheckedCertificate])
}

/// A certificate whose revocation status is unknown.
public struct UncheckedCertificate: Hashable, Sendable {
  /// The index in the chain: 0 for the leaf, 1 for the intermediate.
  public let index: Int
  public let reason: Reason

  /// Creates an unchecked certificate.
  public init(index: Int, reason: Reason) {
    self.index = index
    self.reason = reason
  }

  /// A reason why there is no answer about a certificate.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The certificate had expired; responders no longer know expired certificates.
    case expired
    /// The certificate names no responder with an http or https address.
    case noResponder
    /// The request failed; only in the soft mode.
    case failed(OnlineCheckFailure)
  }
}
