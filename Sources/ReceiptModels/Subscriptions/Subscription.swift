internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An auto-renewable subscription as the service stores it: one for each original transaction ID.
///
/// Source: linking rules, section 1.2.
public struct Subscription: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  /// The identifier of the first charge: 1 to 64 digits, or for Google Play a text of ``PurchaseKey``.
  public var originalTransactionID: String
  /// The identifier of the latest transaction, of the same form.
  public var lastTransactionID: String
  public var productID: String
  /// The moment at which the latest transaction was charged.
  public var purchaseDate: Date
  /// The moment at which the subscription ends; a refund brings it forward.
  public var expiresDate: Date
  public var tier: Tier
  public var cycle: BillingCycle
  public var autoRenewal: Bool
  /// The moment at which the row was first stored, or nil if it isn't stored.
  public var createdDate: Date?
  /// The moment at which the stored row last changed, or nil if it isn't stored.
  public var updatedDate: Date?
  public var owner: AccountID?
  /// Whether a membership carries this subscription and belongs to its owner.
  public var isInUse: Bool = false

  /// Creates a subscription that isn't stored yet.
  ///
  /// The identifiers of transactions are not checked.
  public init(
    environment: AppStoreEnvironment, originalTransactionID: String, lastTransactionID: String,
    productID: String, purchaseDate: Date, expiresDate: Date, tier: Tier, cycle: BillingCycle,
    autoRenewal: Bool
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.lastTransactionID = lastTransactionID
    self.productID = productID
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
    self.tier = tier
    self.cycle = cycle
    self.autoRenewal = autoRenewal
  }

  /// The store that sold the subscription, which its identifier tells.
  public var vendor: Vendor { TransactionIDs.vendor(of: originalTransactionID) }

  public var plan: Plan { Plan(tier: tier, cycle: cycle) }
}

extension Subscription {
  /// Creates the subscription that follows from stored transactions, without an owner and the dates
  /// of a row.
  ///
  /// Returns nil if none of the transactions has a known product and a readable expiry. The records
  /// may be in any order, but must not contain the same transaction twice. Records of other
  /// original identifiers and environments are ignored; a record without an environment counts as
  /// one of this environment.
  /// `group` are all stored transactions of the same subscription group, for the end of an upgraded
  /// transaction; those in `transactions` need not be repeated.
  ///
  /// Source: linking rules, section 4.7.
  public init?(
    originalTransactionID: String, environment: AppStoreEnvironment,
    transactions: [PurchaseRecord], renewals: [RenewalRecord], group: [PurchaseRecord] = [],
    products: ProductMap
  ) {
    let own = transactions.filter { record in
      record.originalTransactionID.isSameText(as: originalTransactionID)
        && (record.environment ?? environment) == environment
    }
    let periods = PaidPeriods(own) { record in
      products[record] == nil ? nil : record.expiresDate?.readable
    }
    // Steps 2 and 4: a cancelled or upgraded period counts only if no other is left.
    guard let latest = periods.kept ?? periods.cancelled ?? periods.upgraded,
      let plan = products[latest.record]
    else { return nil }
    let end = latest.effectiveEnd { latest.successor(among: own + group) }
    let mayRenew = periods.newest?.standing != .cancelled
    self.init(
      environment: environment, originalTransactionID: originalTransactionID,
      lastTransactionID: latest.record.transactionID, productID: latest.record.productID,
      purchaseDate: latest.start.wholeSeconds, expiresDate: end.wholeSeconds,
      tier: plan.tier, cycle: plan.cycle,
      autoRenewal: mayRenew
        && renewals.tell(
          thatRenews: latest.record.productID, of: originalTransactionID, in: environment)
    )
  }
}

extension PaidPeriods.Period {
  fileprivate var start: Date { record.start(before: end) }

  /// Returns the effective end, which is never after the expiry (step 4).
  ///
  /// The successor's date is computed only if needed.
  fileprivate func effectiveEnd(successor: () -> Date?) -> Date {
    if standing == .kept { return end }
    if let cancellation = record.cancellationDate?.readable { return min(end, cancellation) }
    if record.isCancelled { return min(end, start) }
    return min(end, successor() ?? start)
  }

  /// Returns the date of the next charge in the group, or without a group, of the same original
  /// identifier.
  fileprivate func successor(among records: [PurchaseRecord]) -> Date? {
    let own = ChargeOrder(date: start, transactionID: record.transactionID)
    return records.lazy.filter(record.isOfSameGroup).compactMap(ChargeOrder.init)
      .filter { own < $0 }.min()?.date
  }
}

extension PurchaseRecord {
  fileprivate func isOfSameGroup(_ other: PurchaseRecord) -> Bool {
    guard (other.environment ?? environment) == (environment ?? other.environment) else {
      return false
    }
    guard let group = subscriptionGroupID else {
      return other.originalTransactionID.isSameText(as: originalTransactionID)
    }
    return other.subscriptionGroupID?.isSameText(as: group) == true
  }
}

/// The position of a transaction in the order of charges.
private struct ChargeOrder: Comparable {
  var date: Date
  var transactionID: String

  init(date: Date, transactionID: String) {
    self.date = date
    self.transactionID = transactionID
  }

  init?(_ record: PurchaseRecord) {
    guard let date = record.purchaseDate?.readable else { return nil }
    self.init(date: date, transactionID: record.transactionID)
  }

  static func < (first: ChargeOrder, second: ChargeOrder) -> Bool {
    if first.date != second.date { return first.date < second.date }
    return TransactionIDs.areInOrder(first.transactionID, second.transactionID)
  }
}

extension [RenewalRecord] {
  /// Returns whether the entry of the original identifier and product has automatic renewal on
  /// (step 5).
  ///
  /// Of several entries, those signed last are used.
  fileprivate func tell(
    thatRenews productID: String, of originalTransactionID: String,
    in environment: AppStoreEnvironment
  ) -> Bool {
    let entries = filter { entry in
      entry.originalTransactionID.isSameText(as: originalTransactionID)
        && entry.productID?.isSameText(as: productID) == true
        && (entry.environment ?? environment) == environment
    }
    let signed = entries.compactMap(\.signedDate).max()
    let last = entries.filter { $0.signedDate == signed }
    return !last.isEmpty && last.allSatisfy { $0.willRenew == true }
  }
}
