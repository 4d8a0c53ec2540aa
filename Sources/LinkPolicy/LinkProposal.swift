public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request to link an Apple subscription with an account, with everything that the decision needs.
///
/// Read and lock the rows in the transaction that carries out the decision.
public struct LinkProposal: Hashable, Sendable {
  public var account: Account
  public var subscription: Subscription
  /// The account's row: by its `primaryID`, or else by its `secondID`; see
  /// ``accountMembership(among:account:subscription:)`` if both exist.
  public var accountMembership: Membership?
  /// The row that carries the subscription's original transaction ID, possibly a stale one.
  public var subscriptionMembership: Membership?
  /// Whether another row than the account's has the account's second identifier, which is then not
  /// copied.
  ///
  /// Derived from the given rows; the host alone knows of others.
  public var isSecondIDTaken: Bool
  /// Whether the subscription was bought with the app account token of another account.
  public var isTokenOfOtherAccount = false
  /// Whether the subscription, which has no owner here, belongs to another account by the records of another
  /// capability, such as orders.
  public var isOwnedElsewhere = false
  /// The account that owns it there, if it is known.
  public var ownerElsewhere: AccountID?
  /// The end of Apple's billing grace period, as far as it is known.
  public var gracePeriodEnd: Date?
  /// The dates at which the subscription moved from account to account before.
  public var transferDates: [Date] = []
  /// Whether another Apple subscription of the account may be replaced.
  public var force: Bool
  public var options: LinkOptions

  /// Creates a proposal.
  public init(
    account: Account, subscription: Subscription, accountMembership: Membership?,
    subscriptionMembership: Membership?, force: Bool = false, options: LinkOptions = LinkOptions()
  ) {
    self.account = account
    self.subscription = subscription
    self.accountMembership = accountMembership
    self.subscriptionMembership = subscriptionMembership
    self.force = force
    self.options = options
    isSecondIDTaken =
      subscriptionMembership.map { row in
        account.secondID != nil && account.secondID == row.secondID
          && row.accountID != accountMembership?.accountID
      } ?? false
  }

  /// Creates a proposal that picks its rows among these: those of the account, those with its second
  /// identifier, and the one that carries the subscription's ID, in any order.
  public init(
    account: Account, subscription: Subscription, rows: [Membership], force: Bool = false,
    options: LinkOptions = LinkOptions()
  ) {
    let own = Self.index(among: rows, account: account, subscription: subscription)
    self.init(
      account: account, subscription: subscription, accountMembership: own.map { rows[$0] },
      subscriptionMembership: Self.subscriptionMembership(
        among: rows, subscription: subscription),
      force: force, options: options)
    guard let secondID = account.secondID else { return }
    isSecondIDTaken = rows.indices.contains { index in
      index != own && secondID == rows[index].secondID
    }
  }

  /// Returns the account's row: the one with its `primaryID`, or else the one with its `secondID`; if
  /// both exist, the membership of the subscription, or else the one with its `primaryID`.
  ///
  /// Source: linking rules, section 1.5.
  public static func accountMembership(
    among rows: [Membership], account: Account, subscription: Subscription
  ) -> Membership? {
    index(among: rows, account: account, subscription: subscription).map { rows[$0] }
  }

  private static func index(
    among rows: [Membership], account: Account, subscription: Subscription
  ) -> Int? {
    var best: Int?
    for index in rows.indices where account.holds(rows[index]) {
      if rows[index].isIAP(of: subscription) { return index }
      let isPrimary = account.primaryID != nil && account.primaryID == rows[index].primaryID
      if best == nil || isPrimary { best = index }
    }
    return best
  }

  /// Returns the row that carries the subscription's original transaction ID, possibly a stale one.
  ///
  /// Source: linking rules, sections 1.5 and 2.1.
  public static func subscriptionMembership(
    among rows: [Membership], subscription: Subscription
  ) -> Membership? {
    rows.indices.first { rows[$0].carries(subscription.originalTransactionID) }.map { rows[$0] }
  }
}

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
