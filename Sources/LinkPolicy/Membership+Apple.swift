import ReceiptModels

// What Apple's subscription makes of a membership (contract on linking, section 1.3).

extension Membership {
  /// A membership built from a subscription; every column of another pay method is null.
  ///
  /// A replaced row keeps its id (section 2.1), and its `ftcID` where the account has none: a row
  /// found by the `unionID` alone must not be taken from its e-mail account.
  init(
    account: Account, subscription: Subscription, replacing row: Membership?, isUnionIDTaken: Bool
  ) {
    self.init(account: account)
    id = row?.id
    ftcID = account.ftcID ?? row?.ftcID.nonEmpty
    // Without `ftcID` the union id is the key of the row, and is not left out.
    if isUnionIDTaken && ftcID != nil { unionID = nil }
    payMethod = .apple
    appleSubsID = subscription.originalTransactionID
    follow(subscription)
  }

  /// Takes over what a subscription tells: the four values that a sync compares.
  mutating func follow(_ subscription: Subscription) {
    tier = subscription.tier
    cycle = subscription.cycle
    expireDate = subscription.lastDay
    autoRenew = subscription.autoRenewal
  }

  /// Whether tier, cycle, day and automatic renewal are the subscription's (L10b, section 4.8).
  func agrees(with subscription: Subscription) -> Bool {
    expireDate == subscription.lastDay && autoRenew == subscription.autoRenewal
      && tier == subscription.tier && cycle == subscription.cycle
  }
}
