#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Subscription {
  /// The subscription that stored transactions amount to; nil when none of them is of a known product
  /// and has an expiry that can be read.
  ///
  /// It has neither owner nor dates of a row: those are the store's. The order of the records does not
  /// matter. Records of other original ids and environments are left out; one that names no environment
  /// counts as of this one. The same transaction must not be given twice.
  ///
  /// Source: contract on linking, section 4.7.
  ///
  /// - Parameters:
  ///   - originalTransactionID: The identifier of the first charge.
  ///   - environment: Where the subscription was bought.
  ///   - transactions: All that is stored of the identifier.
  ///   - renewals: The entries about coming renewals that are stored of it.
  ///   - group: All that is stored of the same group of subscriptions, for the end of an upgraded
  ///     transaction; those in `transactions` need not be repeated.
  ///   - products: The known products.
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
      products[record.productID] == nil ? nil : record.expiresDate?.readable
    }
    // Steps 2 and 4: a period that is set aside counts only where nothing better is left.
    guard let latest = periods.kept ?? periods.cancelled ?? periods.upgraded,
      let plan = products[latest.record.productID]
    else { return nil }
    let end = latest.effectiveEnd { latest.successor(among: own + group) }
    let mayRenew = periods.newest?.standing != .cancelled
    self.init(
      environment: environment, originalTransactionID: originalTransactionID,
      lastTransactionID: latest.record.transactionID, productID: latest.record.productID,
      purchaseDate: UTCTimestamp(latest.start).date, expiresDate: UTCTimestamp(end).date,
      tier: plan.tier, cycle: plan.cycle,
      autoRenewal: mayRenew
        && renewals.tell(
          thatRenews: latest.record.productID, of: originalTransactionID, in: environment)
    )
  }
}

extension PaidPeriods.Period {
  fileprivate var start: Date { record.start(before: end) }

  /// Step 4: the end in effect, never after the expiry; the successor's date is asked for only where
  /// it counts.
  fileprivate func effectiveEnd(successor: () -> Date?) -> Date {
    if standing == .kept { return end }
    if let cancellation = record.cancellationDate?.readable { return min(end, cancellation) }
    if record.isCancelled { return min(end, start) }
    return min(end, successor() ?? start)
  }

  /// The date of the next charge of the group; without a group, of the same original id.
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
  /// Step 5: whether the entry with the same original id and this product has status on; of several
  /// those signed last count.
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
