internal import EntitlementPolicy
internal import GooglePlayVerifier
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

/// A purchase about which sources may be asked.
struct PurchaseQuestion: Sendable {
  let purchase: PurchaseReference
  /// Whether the purchase ends by itself, so that it is asked about from time to time.
  let isTimed: Bool
}

extension HoldingRows {
  /// The purchases about which sources are asked, subscriptions first; consumable products entitle to
  /// nothing.
  ///
  /// A purchase without transactions was moved by Apple, and is asked about like a subscription.
  func questions(about app: EntitledApp) -> [PurchaseQuestion] {
    let records = Dictionary(grouping: transactions, by: \.originalTransactionID)
    let ofApp = associations.filter { $0.bundleID.isSameText(as: app.bundleID) }
    return ofApp.compactMap { association -> PurchaseQuestion? in
      let id = association.originalTransactionID
      let own = (records[id] ?? []).filter { $0.environment == association.environment }
      let isSubscription =
        own.isEmpty || own.contains { $0.expiresDate != nil || $0.hasUnreadableExpiry }
      let isTimed = own.contains { app.options.durations[$0.productID] != nil }
      let mayEntitle = own.contains { $0.isConsumable(in: app.catalog) != true }
      guard isSubscription || isTimed || mayEntitle else { return nil }
      return PurchaseQuestion(
        purchase: PurchaseReference(
          originalTransactionID: id, environment: association.environment,
          isSubscription: isSubscription, appID: app.storeID(ofPurchase: id)),
        isTimed: isSubscription || isTimed)
    }.sorted { one, other in
      one.purchase.isSubscription == other.purchase.isSubscription
        ? one.purchase.originalTransactionID < other.purchase.originalTransactionID
        : one.purchase.isSubscription
    }
  }
}

extension EntitledApp {
  /// The identifier of the app in the store that sold a purchase; nil if it is not known.
  fileprivate func storeID(ofPurchase originalTransactionID: String) -> String? {
    switch TransactionIDs.vendor(of: originalTransactionID) {
    case .apple: bundleID
    case .google: googlePlay?.packageName
    default: nil
    }
  }
}

extension PurchaseRecord {
  /// Whether the product is consumable, as the store says or else the list; nil if neither does.
  func isConsumable(in catalog: ProductCatalog) -> Bool? {
    productType.map { $0 == .consumable } ?? catalog[productID].map { $0.type == .consumable }
  }
}
