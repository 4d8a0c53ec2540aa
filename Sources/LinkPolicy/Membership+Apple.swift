import ReceiptModels

// The membership of a subscription of Apple, or of another store (linking rules, section 1.3).

extension Membership {
  /// Creates the membership of a subscription, without values of other sources.
  ///
  /// A replaced row keeps its ID (section 2.1). It also keeps its `primaryID` if the account has none:
  /// a row found by the `secondID` alone must not be taken from its account.
  init(
    account: Account, subscription: Subscription, replacing row: Membership?, isSecondIDTaken: Bool
  ) {
    self.init(account: account)
    id = row?.id
    primaryID = account.primaryID ?? row?.primaryID
    // Without `primaryID`, the second identifier is the key of the row.
    if isSecondIDTaken && primaryID != nil { secondID = nil }
    payMethod = subscription.vendor == .google ? .google : .apple
    originalTransactionID = subscription.originalTransactionID
    follow(subscription)
  }

  /// Copies the four values that a sync compares.
  mutating func follow(_ subscription: Subscription) {
    tier = subscription.tier
    cycle = subscription.cycle
    expireDate = subscription.lastDay
    autoRenew = subscription.autoRenewal
  }

  /// Returns whether level, cycle, day and renewal are the subscription's (L10b, section 4.8).
  func agrees(with subscription: Subscription) -> Bool {
    expireDate == subscription.lastDay && autoRenew == subscription.autoRenewal
      && tier == subscription.tier && cycle == subscription.cycle
  }
}
