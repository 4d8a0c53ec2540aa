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

  /// Creates the fields.
  public init(
    originalTransactionID: String? = nil, tier: Tier? = nil, lastDay: CalendarDay? = nil,
    previousLastDay: CalendarDay? = nil, renews: Bool
  ) {
    self.originalTransactionID = originalTransactionID
    self.tier = tier
    self.lastDay = lastDay
    self.previousLastDay = previousLastDay
    self.renews = renews
  }
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

  /// Creates the fields that each change has.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, transactionID: String,
    productID: String
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.transactionID = transactionID
    self.productID = productID
  }
}

/// A move of a purchase between two accounts.
public struct PurchaseMove: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String
  /// The account on the other side of the move.
  public var otherAccount: AccountID

  /// Creates the fields.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, otherAccount: AccountID
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.otherAccount = otherAccount
  }
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

  /// Creates the fields of a booking, which is the host's own unless the environment is set.
  public init(
    amount: Int, balance: Int, entryID: String, changeType: LedgerBooking.ChangeType,
    subjectType: String, subjectID: String
  ) {
    self.amount = amount
    self.balance = balance
    self.entryID = entryID
    self.changeType = changeType
    self.subjectType = subjectType
    self.subjectID = subjectID
  }
}

/// The app in which an account may have other products now.
public struct EntitlementChange: Hashable, Sendable {
  public var bundleID: String

  /// Creates the fields.
  public init(bundleID: String) {
    self.bundleID = bundleID
  }
}

/// An ordered subscription after a change, or before its end.
public struct OrderChange: Hashable, Sendable {
  public var vendor: Vendor
  public var environment: AppStoreEnvironment
  /// The key of the purchase at its vendor.
  public var purchaseID: String
  public var level: String
  public var expiresDate: Date

  /// Creates the fields.
  public init(
    vendor: Vendor, environment: AppStoreEnvironment, purchaseID: String, level: String,
    expiresDate: Date
  ) {
    self.vendor = vendor
    self.environment = environment
    self.purchaseID = purchaseID
    self.level = level
    self.expiresDate = expiresDate
  }
}

/// A claim of the event's account to a purchase that is another's.
public struct ClaimDispute: Hashable, Sendable {
  public var originalTransactionID: String
  /// The account that has the purchase, where the record says it.
  public var owner: AccountID?

  /// Creates the fields.
  public init(originalTransactionID: String, owner: AccountID? = nil) {
    self.originalTransactionID = originalTransactionID
    self.owner = owner
  }
}

/// Something that a store said about a purchase.
public struct StoreNotice: Hashable, Sendable {
  public var originalTransactionID: String
  /// The key of the stored record that it is about; nil if there is none.
  public var reference: String?
  /// The date up to which the store waits for something; nil if it does not.
  public var deadline: Date?

  /// Creates the fields.
  public init(originalTransactionID: String, reference: String? = nil, deadline: Date? = nil) {
    self.originalTransactionID = originalTransactionID
    self.reference = reference
    self.deadline = deadline
  }
}

/// A notification that was kept as it came.
public struct UnreadNotification: Hashable, Sendable {
  /// The key of the kept notification.
  public var key: String
  public var environment: AppStoreEnvironment?
  /// The path of the field that could not be decoded; empty for the whole payload.
  public var path: String

  /// Creates the fields.
  public init(key: String, environment: AppStoreEnvironment? = nil, path: String) {
    self.key = key
    self.environment = environment
    self.path = path
  }
}

/// The erasing of an account, whose pseudonym is the account of the event.
public struct ErasureNotice: Hashable, Sendable {
  /// The text by which the host finds the erasure again; nil if it gave none.
  public var reference: String?

  /// Creates the fields.
  public init(reference: String? = nil) {
    self.reference = reference
  }
}
