internal import OrderPolicy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The answers that differ by the purpose of a check: a new order is refused, but what was good before stays.
//
// Source: entitlement rules, section 13.
extension VendorAnswer {
  /// The answer about evidence that is none here: invalid on an order, and a failure that says nothing later.
  static func invalid(
    for purpose: VendorCheckPurpose, otherwise failure: IncidentalFailure
  ) -> VendorAnswer {
    purpose == .order
      ? .explicitFailure(ExplicitFailure(.invalid)) : .incidentalFailure(failure)
  }
}

extension IncidentalFailure {
  /// What was evidence before is none now.
  static let noEvidence = IncidentalFailure(.doubtful)
  /// There is nobody to ask about evidence of this kind, although there was before.
  static let notConfigured = IncidentalFailure(.refused, needsAttention: true)
  /// Evidence of another app, which only a wrong setting makes of evidence that was good before.
  static let otherApp = IncidentalFailure(.otherApp, needsAttention: true)
}

extension Duration {
  /// The time until a date in whole milliseconds, as dates are not exact; none if it has passed.
  static func seconds(until date: Date, from now: Date) -> Duration {
    .milliseconds(Int(max(0, date.timeIntervalSince(now) * 1000).rounded()))
  }
}
