internal import ReceiptModels

/// A vendor's word about evidence of a subscription.
///
/// Source: entitlement rules, section 13.
@nonexhaustive
public enum VendorAnswer: Hashable, Sendable {
  /// The purchase gives a subscription now.
  case valid(VendorPurchase)
  /// The vendor said that it gives none.
  case explicitFailure(ExplicitFailure)
  /// Nothing was learned.
  case incidentalFailure(IncidentalFailure)
}

extension VendorAnswer {
  /// The answer, in which a purchase of an environment that does not count is invalid.
  ///
  /// Source: entitlement rules, sections 12 and 13.
  func counted(in environments: CountedEnvironments) -> VendorAnswer {
    guard case .valid(let purchase) = self, !environments.count(purchase.environment, for: nil)
    else { return self }
    return .explicitFailure(ExplicitFailure(.invalid, purchaseKey: purchase.purchaseKey))
  }
}

/// The purpose of a check, on which the meaning of some answers depends.
public enum VendorCheckPurpose: Hashable, Sendable {
  /// A user sent the evidence.
  case order
  /// Evidence that was good before is checked again.
  case revalidation
}
