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

/// The purpose of a check, on which the meaning of some answers depends.
public enum VendorCheckPurpose: Hashable, Sendable {
  /// A user sent the evidence.
  case order
  /// Evidence that was good before is checked again.
  case revalidation
}
