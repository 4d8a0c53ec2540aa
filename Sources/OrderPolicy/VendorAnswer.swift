public import ReceiptModels

/// A vendor's word about evidence of a subscription.
///
/// Source: entitlement rules, section 13.
@nonexhaustive
public enum VendorAnswer: Hashable, Sendable {
  /// The purchase gives a subscription now.
  case valid(VendorPurchase)
  /// The vendor said that it gives none.
  case explicitFailure(ExplicitFailure)
  case incidentalFailure(IncidentalFailure)
}

extension VendorAnswer {
  /// Returns the answer, in which a purchase of an environment that does not count is invalid, whether it runs or not.
  ///
  /// Source: entitlement rules, sections 12 and 13.
  ///
  /// - Parameters:
  ///   - environments: The environments that count.
  ///   - environment: The environment of the evidence, where the answer does not name one; nil if nothing tells it.
  /// - Returns: The answer; one that says nothing stays as it is.
  public func counted(
    in environments: CountedEnvironments, ofEvidenceIn environment: AppStoreEnvironment? = nil
  ) -> VendorAnswer {
    let (environment, purchaseKey): (AppStoreEnvironment?, PurchaseKey?) =
      switch self {
      case .valid(let purchase): (purchase.environment, purchase.purchaseKey)
      case .explicitFailure(let failure): (environment, failure.purchaseKey)
      case .incidentalFailure: (nil, nil)
      }
    guard let environment, !environments.count(environment, for: nil) else { return self }
    return .explicitFailure(ExplicitFailure(.invalid, purchaseKey: purchaseKey))
  }
}

/// The purpose of a check, on which the meaning of some answers depends.
public enum VendorCheckPurpose: Hashable, Sendable {
  case order
  /// Evidence that was good before is checked again.
  case revalidation
}

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
