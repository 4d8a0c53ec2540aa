public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The membership of an account, with the end of the access that it grants.
///
/// ```swift
/// let mayRead = try await subscriptions.membership(of: "alice")?.grantsAccess(at: now) ?? false
/// ```
///
/// A membership has a last day, and may be kept valid by automatic renewal for 60 days after it, so that no
/// other takes its place while the store retries a payment. Access has no such tolerance: it ends with the
/// subscription behind the membership, to the second, and at once with a refund. A host may choose that Apple's
/// billing grace period counts (``LinkOptions/access``). Source: linking rules, section 1.5.
@dynamicMemberLookup
public struct HeldMembership: Hashable, Sendable {
  public let membership: Membership
  public let accessEnd: AccessEnd

  /// The end of the access that a membership grants.
  public enum AccessEnd: Hashable, Sendable {
    /// Access ends at this moment: the end of the subscription or of its grace period, or that of the last day in
    /// UTC where no subscription is stored.
    case date(Date)
    /// The stored last day can't be read; there is access, because somebody may have paid for it.
    case unreadable
    /// There is no access: the membership has no last day, or purchases of its environment don't count.
    case never
  }

  /// Creates the membership of an account.
  ///
  /// A subscription that the membership does not carry is left out. The account may be a tester; nil stands
  /// for that of the membership.
  public init(
    _ membership: Membership, subscription: Subscription?, gracePeriodEnd: Date? = nil,
    account: Account? = nil, options: LinkOptions = LinkOptions()
  ) {
    self.membership = membership
    if let subscription, membership.isIAP(of: subscription) {
      let grace = options.access == .gracePeriod ? gracePeriodEnd : nil
      let holder = account ?? membership.account
      // What a tester has ends with the test.
      let testEnd = options.allowedEnvironments.end(of: subscription.environment, for: holder)
      let end = max(subscription.expiresDate, grace ?? .distantPast)
      accessEnd =
        options.allow(subscription, for: holder, at: nil)
        ? .date(min(end, testEnd ?? .distantFuture)) : .never
    } else if membership.unreadableExpireDate != nil {
      accessEnd = .unreadable
    } else {
      accessEnd = membership.expireDate.map { .date($0.advanced(byDays: 1).start) } ?? .never
    }
  }

  /// Returns whether the account has access at a moment, without any tolerance.
  public func grantsAccess(at now: Date) -> Bool {
    switch accessEnd {
    case .date(let end): now < end
    case .unreadable: true
    case .never: false
    }
  }

  /// A value of the membership.
  public subscript<Value>(dynamicMember member: KeyPath<Membership, Value>) -> Value {
    membership[keyPath: member]
  }

  /// Returns the membership of an account: one that grants access, or else a valid one, or else any; of two
  /// rows, the one with its `primaryID`.
  ///
  /// `rows` are those of the account, and possibly others; the ends of grace periods are by original
  /// transaction ID. Returns nil if the account has none. Source: linking rules, section 1.5.
  public static func of(
    _ account: Account, among rows: [Membership], _ subscriptions: [Subscription],
    gracePeriodEnds: [String: Date] = [:], at now: Date, options: LinkOptions = LinkOptions()
  ) -> HeldMembership? {
    let own = rows.filter { account.primaryID != nil && $0.primaryID == account.primaryID }
    let held = (own + rows.filter { account.holds($0) && !own.contains($0) }).map { row in
      HeldMembership(
        row, subscription: subscriptions.first { row.isIAP(of: $0) },
        gracePeriodEnd: row.originalTransactionID.flatMap { gracePeriodEnds[$0] },
        account: account, options: options)
    }
    return held.first { $0.grantsAccess(at: now) }
      ?? held.first { $0.membership.isValid(at: now, options: options) } ?? held.first
  }
}
