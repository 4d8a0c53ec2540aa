import ReceiptModels

// How rows, accounts and subscriptions belong together (contract on linking, sections 1.1 to 1.5).

extension String {
  /// Whether both are the same identifier, byte for byte; an empty one is the same as no other.
  func isSameID(as other: String?) -> Bool {
    guard let other, utf8.count == other.utf8.count, !utf8.isEmpty else { return false }
    return isSameText(as: other)
  }
}

extension Optional where Wrapped == String {
  /// The text, or nil when it is empty, which counts as null.
  var nonEmpty: String? { self?.utf8.isEmpty == false ? self : nil }
}

extension Account {
  /// Whether a row with these identifiers is this account's: under its `ftcID`, or else under its
  /// `unionID`.
  ///
  /// The row of another e-mail account with the same `unionID` is not.
  func holds(ftcID other: String?, unionID otherUnion: String?) -> Bool {
    if ftcID?.isSameID(as: other) == true { return true }
    return (ftcID == nil || other.nonEmpty == nil) && unionID?.isSameID(as: otherUnion) == true
  }

  func holds(_ row: Membership) -> Bool { holds(ftcID: row.ftcID, unionID: row.unionID) }
}

extension Membership {
  /// Whether the row carries this original transaction id, stale or not.
  func carries(_ originalTransactionID: String) -> Bool {
    appleSubsID?.isSameID(as: originalTransactionID) == true
  }

  /// Whether this is the membership of the subscription (section 1.5, "IAP side").
  func isIAP(of subscription: Subscription) -> Bool {
    isIAP && carries(subscription.originalTransactionID)
  }

  /// Section 1.3, "zero membership".
  var isZero: Bool { compoundID.utf8.isEmpty && tier == nil }
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
