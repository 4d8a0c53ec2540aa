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
    guard let candidates = SubscriptionCandidates(own, products: products),
      let plan = products[candidates.latest.record.productID]
    else { return nil }
    let latest = candidates.latest
    let end = latest.effectiveEnd { latest.successor(among: own + group) }
    self.init(
      environment: environment, originalTransactionID: originalTransactionID,
      lastTransactionID: latest.record.transactionID, productID: latest.record.productID,
      purchaseDate: UTCTimestamp(latest.purchase).date, expiresDate: UTCTimestamp(end).date,
      tier: plan.tier, cycle: plan.cycle,
      autoRenewal: candidates.allowRenewal
        && renewals.tell(
          thatRenews: latest.record.productID, of: originalTransactionID, in: environment)
    )
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
