import ReceiptModels

// How rows, accounts and subscriptions belong together (contract on linking, sections 1.1 to 1.5).

extension Optional where Wrapped == String {
  /// The text, or nil when it is empty, which counts as null.
  var nonEmpty: String? { self?.utf8.isEmpty == false ? self : nil }

  /// Whether both are the same text, byte for byte; two that are missing or empty are not.
  func isSameID(as other: String?) -> Bool {
    guard let one = nonEmpty, let other = other.nonEmpty else { return false }
    return one.isSameText(as: other)
  }
}

extension Account {
  /// Whether the row is this account's: under its `ftcID`, or else under its `unionID`.
  ///
  /// The row of another e-mail account with the same `unionID` is not.
  func holds(_ row: Membership) -> Bool {
    if ftcID.isSameID(as: row.ftcID) { return true }
    return (ftcID == nil || row.ftcID.nonEmpty == nil) && unionID.isSameID(as: row.unionID)
  }
}

extension Membership {
  /// Whether the row carries this original transaction id, stale or not.
  func carries(_ originalTransactionID: String) -> Bool {
    appleSubsID.isSameID(as: originalTransactionID)
  }

  /// Whether this is the membership of the subscription (section 1.5, "IAP side").
  func isIAP(of subscription: Subscription) -> Bool {
    isIAP && carries(subscription.originalTransactionID)
  }

  /// Section 1.3, "zero membership".
  var isZero: Bool { compoundID.utf8.isEmpty && tier == nil }

  /// Section 1.5, "equal".
  func isEqual(to other: Membership) -> Bool {
    compoundID.isSameText(as: other.compoundID)
      && appleSubsID.nonEmpty == other.appleSubsID.nonEmpty
      && stripeSubsID.nonEmpty == other.stripeSubsID.nonEmpty && tier == other.tier
  }
}

extension Subscription {
  /// The account that owns it.
  var owner: String? { ftcUserID.nonEmpty }
}

extension LinkOptions {
  /// Whether the environment gate lets the subscription change a membership (L4a, section 4.8).
  func allow(_ subscription: Subscription) -> Bool {
    allowedEnvironments.contains(subscription.environment)
  }
}
