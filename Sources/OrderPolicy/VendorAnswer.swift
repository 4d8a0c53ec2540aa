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
    let (environment, purchaseKey): (AppStoreEnvironment?, String?) =
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
