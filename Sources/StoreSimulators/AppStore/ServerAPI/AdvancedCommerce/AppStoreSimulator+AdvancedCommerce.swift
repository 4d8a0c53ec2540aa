internal import StorekeeperLocks
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state that the simulator keeps for Advanced Commerce besides the purchases.
struct AdvancedCommerceState: Sendable {
  /// The reference identifiers of the requests that were carried out, in lower case.
  var references: Set<String> = []
}

extension AppStoreSimulator {
  /// Makes a subscription one of Advanced Commerce, as if it had been sold with these items.
  ///
  /// Its newest transaction and all later ones carry `advancedCommerceInfo`.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  public func useAdvancedCommerce(
    for purchase: TestPurchase, items: [AdvancedCommerceRenewalItem],
    descriptors: AdvancedCommerceDescriptors = .init(
      description: "All of the reader", displayName: "Reader"),
    taxCode: String = "C003-00-1"
  ) throws(SimulatorFailure) {
    try changeStore { (store, _) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).group != nil else { throw .notASubscription }
      var info = AdvancedCommerceRenewalInfo()
      info.items = items
      info.descriptors = descriptors
      info.taxCode = taxCode
      store.setAdvancedCommerce(info, of: originalID(purchase))
    }
  }
}

extension AdvancedCommerceRenewalInfo {
  /// The same about a charge instead of the next renewal.
  var transactionInfo: AdvancedCommerceTransactionInfo {
    var info = AdvancedCommerceTransactionInfo()
    info.descriptors = descriptors
    info.period = period
    info.requestReferenceID = requestReferenceID
    info.taxCode = taxCode
    info.items = items?.map { renewed in
      var item = AdvancedCommerceTransactionItem()
      item.sku = renewed.sku
      item.displayName = renewed.displayName
      item.description = renewed.description
      item.price = renewed.price
      item.offer = renewed.offer
      return item
    }
    return info
  }
}
