public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The statuses of all subscriptions of a customer in the app.
public struct SubscriptionStatuses: Sendable {
  public let groups: [Group]
  public let environment: AppStoreEnvironment

  /// The subscriptions of a group.
  public struct Group: Sendable {
    /// Apple's identifier of the group.
    public let subscriptionGroupIdentifier: String?
    public let items: [Item]
  }

  /// A subscription with its latest transaction.
  public struct Item: Sendable {
    /// Apple's word on the status, which is not signed; see ``derivedStatus(at:)``.
    public let status: Unsigned<SubscriptionStatus>?
    /// The latest transaction; nil if it is missing or was refused.
    public let transaction: Verified<Transaction>?
    /// The renewal info of the same subscription; nil if it is missing or was refused.
    public let renewalInfo: Verified<RenewalInfo>?
    /// The reason that the transaction or the renewal info is not to be relied on.
    public let refusal: Refusal?
  }

  /// A reason that an item has less than Apple sent.
  @nonexhaustive
  public enum Refusal: Error, Hashable, Sendable {
    case notSigned
    case transaction(SignedDataFailure)
    case renewalInfo(SignedDataFailure)
    /// The renewal info is that of another subscription.
    case otherSubscription
  }

  public var items: [Item] { groups.flatMap(\.items) }
}

extension SubscriptionStatuses.Item {
  /// Returns the status that the signed data proves at a date; nil without a transaction.
  ///
  /// Grant by this and not by ``status``. Source: App Store rules, section 8.1.
  public func derivedStatus(at date: Date) -> SubscriptionStatus? {
    guard let transaction else { return nil }
    let histories = PurchaseHistory.histories(
      of: [transaction.payload], renewals: renewalInfo.map { [$0.payload] } ?? [],
      knowledge: .remote)
    return histories.first.flatMap { SubscriptionStatus($0.summary(at: date).state) }
  }

  /// Returns whether Apple's unsigned word differs from what the signed data proves at a date.
  ///
  /// A difference is worth a report. Around a renewal the two may differ for a moment.
  public func disagrees(at date: Date) -> Bool {
    guard let stated = status?.value, let derived = derivedStatus(at: date) else { return false }
    return stated != derived
  }
}

extension SubscriptionStatus {
  /// Creates Apple's status for a state of a subscription; nil for a state of other purchases.
  init?(_ state: SubscriptionState) {
    switch state {
    case .active: self = .active
    case .expired: self = .expired
    case .inBillingRetry: self = .billingRetry
    case .inGracePeriod: self = .billingGracePeriod
    case .revoked: self = .revoked
    case .upgraded, .owned, .refunded: return nil
    }
  }
}

/// The purchases of an order number.
public struct OrderLookup: Sendable {
  /// Whether the order number is valid, which Apple doesn't sign.
  public let status: Unsigned<OrderLookupStatus>
  /// The verified transactions; empty unless the order number is valid.
  public let transactions: [Verified<Transaction>]
  public let refused: [RefusedElement]
}
