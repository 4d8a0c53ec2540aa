internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// How rows, accounts and subscriptions belong together (linking rules, sections 1.1 to 1.5).

extension Account {
  /// Returns whether a row with these identifiers belongs to this account: by its `primaryID`, or
  /// else by its `secondID`.
  ///
  /// The row of another account with the same `secondID` doesn't.
  func holds(primaryID other: AccountID?, secondID otherSecond: AccountID?) -> Bool {
    if let primaryID, primaryID == other { return true }
    guard let secondID, secondID == otherSecond else { return false }
    return primaryID == nil || other == nil
  }

  func holds(_ row: Membership) -> Bool { holds(primaryID: row.primaryID, secondID: row.secondID) }
}

extension Membership {
  /// Returns whether the row carries this original transaction ID, stale or not.
  func carries(_ originalTransactionID: String) -> Bool {
    guard let id = self.originalTransactionID, !id.utf8.isEmpty else { return false }
    return id.isSameText(as: originalTransactionID)
  }

  /// Returns whether this is the membership of the subscription (section 1.5).
  func isIAP(of subscription: Subscription) -> Bool {
    isIAP && carries(subscription.originalTransactionID)
  }

  /// Whether the row has neither an account nor a level (section 1.3).
  var isZero: Bool { accountID == nil && tier == nil }
}

extension LinkOptions {
  /// Returns whether the subscription may change a membership of an account (L4a, section 4.8).
  func allow(_ subscription: Subscription, for account: Account?, at now: Date?) -> Bool {
    allowedEnvironments.count(subscription.environment, for: account, at: now)
  }
}
