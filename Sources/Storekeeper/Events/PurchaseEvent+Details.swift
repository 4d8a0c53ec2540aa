public import CreditPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A membership after a change.
public struct MembershipChange: Hashable, Sendable {
  /// The original transaction ID of the subscription; nil if the membership rests on none of a store.
  public var originalTransactionID: String?
  public var tier: Tier?
  /// The last day, in UTC; nil if there is none, or none that can be read.
  public var lastDay: CalendarDay?
  /// The last day before the change.
  public var previousLastDay: CalendarDay?
  public var renews: Bool
}

/// A purchase, or a period of a subscription, after a change.
public struct PurchaseChange: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String
  public var transactionID: String
  public var productID: String
  /// The product of the period before, where it was another one.
  public var previousProductID: String?
  /// The end of the period; nil for a purchase that is no subscription.
  public var expiresDate: Date?
  /// The end of the store's time of grace; nil without one.
  public var gracePeriodEnd: Date?
  /// Whether the subscription is going to renew; nil if the store has not said.
  public var renews: Bool?
  /// The date at which the purchase was taken back; nil if it counts.
  public var revocationDate: Date?

  /// The store of the purchase.
  public var vendor: Vendor { TransactionIDs.vendor(of: originalTransactionID) }
}

/// A move of a purchase between two accounts.
public struct PurchaseMove: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String
  /// The account on the other side of the move.
  public var otherAccount: AccountID
}

/// A booking of credits.
public struct CreditChange: Hashable, Sendable {
  public var amount: Int
  /// The balance after the booking.
  public var balance: Int
  /// The identifier of the entry, unique within its environment.
  public var entryID: String
  public var changeType: LedgerBooking.ChangeType
  /// The environment of the purchase; nil for a booking of the host's own.
  public var environment: AppStoreEnvironment?
  public var subjectType: String
  public var subjectID: String
}

/// The app in which an account may have other products now.
public struct EntitlementChange: Hashable, Sendable {
  public var bundleID: String
}

/// An ordered subscription after a change, or before its end.
public struct OrderChange: Hashable, Sendable {
  public var vendor: Vendor
  public var environment: AppStoreEnvironment
  /// The key of the purchase at its vendor.
  public var purchaseID: String
  public var level: String
  public var expiresDate: Date
}

/// A claim of the event's account to a purchase that is another's.
public struct ClaimDispute: Hashable, Sendable {
  public var originalTransactionID: String
  /// The account that has the purchase, where the record says it.
  public var owner: AccountID?
}

/// Something that a store said about a purchase.
public struct StoreNotice: Hashable, Sendable {
  public var originalTransactionID: String
  /// The key of the stored record that it is about; nil if there is none.
  public var reference: String?
  /// The date up to which the store waits for something; nil if it does not.
  public var deadline: Date?
}

/// A notification that was kept as it came.
public struct UnreadNotification: Hashable, Sendable {
  /// The key of the kept notification.
  public var key: String
  public var environment: AppStoreEnvironment?
  /// The path of the field that could not be decoded; empty for the whole payload.
  public var path: String
}
