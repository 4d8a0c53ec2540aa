internal import ReceiptModels

// Rules L12 to L15: whether the account's membership, which isn't the subscription's, is replaced.

extension LinkProposal {
  /// Returns the reason not to replace a row; nil if it may be replaced.
  func objection(toReplacing row: Membership, on today: CalendarDay) -> LinkRefusal? {
    switch options.replacement {
    case .forcedOrExpired:
      row.isIAP ? objection(toSwitchFrom: row) : objection(toOverride: row, on: today)
    case .expiredOnly: objection(toReplacingUnexpired: row, on: today)
    }
  }

  /// L12: another Apple subscription, expired or not.
  private func objection(toSwitchFrom row: Membership) -> LinkRefusal? {
    guard force else { return .linkedToOtherSubscription }  // L12a
    if options.isSwitchStrict, mayEndLater(row) { return .expiresEarlier }  // L12b
    return nil  // L12c
  }

  /// Returns whether the membership ends after the subscription, or its end can't be read.
  private func mayEndLater(_ row: Membership) -> Bool {
    guard let lastDay = row.expireDate else { return row.unreadableExpireDate != nil }
    return subscription.lastDay < lastDay
  }

  /// L13 to L15: a membership of another source, which `force` doesn't replace.
  private func objection(toOverride row: Membership, on today: CalendarDay) -> LinkRefusal? {
    if row.validity(on: today, options).isExpired { return nil }  // L15
    if isCopiedByHand(row) { return nil }  // L14
    return .hasValidNonIAP  // L13
  }

  /// L14: a row of unknown source whose last day begins before the subscription ends.
  ///
  /// This is the only rule that compares a day with an instant.
  private func isCopiedByHand(_ row: Membership) -> Bool {
    guard row.payMethod == nil, let lastDay = row.expireDate else { return false }
    return lastDay.start < subscription.expiresDate
  }

  /// Section 6.5: neither force, nor the strict setting, nor L14 matters.
  private func objection(
    toReplacingUnexpired row: Membership, on today: CalendarDay
  ) -> LinkRefusal? {
    if row.validity(on: today, options).isExpired { return nil }
    return row.isIAP ? .linkedToOtherSubscription : .hasValidNonIAP
  }
}
