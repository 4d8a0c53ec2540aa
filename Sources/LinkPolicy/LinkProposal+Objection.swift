import ReceiptModels

// May the account's membership, which is not the subscription's, be replaced? L12 to L15.

extension LinkProposal {
  /// Why it may not; nil if it may.
  func objection(toReplacing row: Membership, on today: CalendarDay) -> LinkRefusal? {
    switch options.contract {
    case .current: row.isIAP ? objection(toSwitchFrom: row) : objection(toOverride: row, on: today)
    case .year2019: objectionOf2019(toReplacing: row, on: today)
    }
  }

  /// L12: another Apple subscription, expired or not.
  private func objection(toSwitchFrom row: Membership) -> LinkRefusal? {
    guard force else { return .linkedToOtherSubscription }  // L12a
    if options.isSwitchStrict, mayEndLater(row) { return .expiresEarlier }  // L12b
    return nil  // L12c
  }

  /// Whether the membership ends after the subscription, or nobody can read when it ends.
  private func mayEndLater(_ row: Membership) -> Bool {
    guard let lastDay = row.expireDate else { return row.unreadableExpireDate != nil }
    return subscription.lastDay < lastDay
  }

  /// L13 to L15: a membership that Apple does not pay; `force` does not help.
  private func objection(toOverride row: Membership, on today: CalendarDay) -> LinkRefusal? {
    if row.validity(on: today, options).isExpired { return nil }  // L15
    if isCopiedByHand(row) { return nil }  // L14
    return .hasValidNonIAP  // L13
  }

  /// L14: of unknown origin, and its last day begins before the subscription ends.
  ///
  /// The one rule that compares a day with an instant.
  private func isCopiedByHand(_ row: Membership) -> Bool {
    guard row.payMethod == nil, let lastDay = row.expireDate else { return false }
    return lastDay.start < subscription.expiresDate
  }

  /// Section 6.5: expiry comes first, and there is neither force, nor strict switch, nor L14.
  private func objectionOf2019(
    toReplacing row: Membership, on today: CalendarDay
  ) -> LinkRefusal? {
    if row.validity(on: today, options).isExpired { return nil }
    return row.isIAP ? .linkedToOtherSubscription : .hasValidNonIAP
  }
}
