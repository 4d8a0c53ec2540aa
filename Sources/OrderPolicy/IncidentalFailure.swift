/// A failure that says nothing about a purchase, which therefore stays as it is.
///
/// Source: entitlement rules, section 13.
public struct IncidentalFailure: Error, Hashable, Sendable {
  /// A reason.
  @nonexhaustive
  public enum Reason: String, Hashable, Sendable {
    /// The vendor could not be reached, or did not answer in time.
    case unreachable
    /// The vendor has an outage, or asks to wait.
    case busy
    case unreadable
    /// The vendor refused our request or our credentials.
    case refused
    /// The vendor refused evidence that was good before, in a way that a wrong setting of ours can cause.
    case doubtful
    /// The payment of a renewal has not arrived.
    case paymentPending
    /// The evidence is of another app, although it was good before.
    case otherApp
    /// No level has the product, although one had before.
    case unknownProduct
    /// The evidence leads to a purchase of another user, although it was the user's own before.
    case otherOwner
  }

  public var reason: Reason
  /// The pause that the vendor asked for, or nil.
  public var retryAfter: Duration?
  /// Whether somebody should look after it, because it does not pass by itself.
  public var needsAttention: Bool

  /// Creates a failure.
  public init(_ reason: Reason, retryAfter: Duration? = nil, needsAttention: Bool = false) {
    self.reason = reason
    self.retryAfter = retryAfter
    self.needsAttention = needsAttention
  }
}
