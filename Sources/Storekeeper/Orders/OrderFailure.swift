public import EntitlementPolicy

/// The reason why an ``OrderService`` refused an order.
///
/// Errors of the store and of the host's accounts are passed on unchanged; nothing was written then.
///
/// Source: entitlement rules, section 14.
public enum OrderFailure: Error, Hashable, Sendable {
  /// The service has no such vendor.
  case unknownVendor
  /// The evidence is empty, longer than 1 MiB, or has a zero byte.
  case receiptSize
  /// The evidence gives the user no subscription.
  case refused(ExplicitFailure.Reason)
  /// The vendor could not say whether it does.
  case vendorUnavailable(IncidentalFailure)
  /// Subscriptions have these levels, which therefore cannot be removed.
  case levelsInUse([String])
}
