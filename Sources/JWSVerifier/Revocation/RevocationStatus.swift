/// What is known of the revocation of the certificates behind verified data.
///
/// A revoked certificate never gets here: it is an error, ``SignedDataFailure/certificateRevoked(_:)``.
///
/// Source: contract on signed data, section 1.5.
@nonexhaustive
public enum RevocationStatus: Hashable, Sendable {
  /// Nobody was asked: no online check is configured.
  case notRequested
  /// The responders say of leaf and intermediate that they are not revoked.
  ///
  /// Either just now, or earlier in an answer that still holds. The root is never asked about.
  case good
  /// Nothing is known against the certificates, but at least one could not be asked about.
  ///
  /// Never empty; the leaf stands before the intermediate.
  case notChecked([UncheckedCertificate])
}

/// A certificate that nobody was asked about, or that the responder gave no answer about.
public struct UncheckedCertificate: Hashable, Sendable {
  /// Its place in the chain: 0 for the leaf, 1 for the intermediate.
  public let place: Int
  /// Why there is no answer.
  public let reason: Reason

  /// A certificate without an answer.
  public init(place: Int, reason: Reason) {
    self.place = place
    self.reason = reason
  }

  /// Why there is no answer.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// It had ended when it would have been asked about; responders forget such certificates.
    case expired
    /// It names no responder that can be reached by http or https.
    case noResponder
    /// The responder could not be asked, or not be understood; only in the soft mode.
    case failed(OnlineCheckFailure)
  }
}
