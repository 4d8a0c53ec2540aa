internal import EntitlementPolicy
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HoldingRows {
  func purchases(of app: EntitledApp) -> AppPurchases {
    purchases(of: app.bundleID, catalog: app.catalog, durations: app.options.durations)
  }

  private func purchases(
    of bundleID: String, catalog: ProductCatalog?, durations: SubscriptionDurations
  ) -> AppPurchases {
    let own = associations.filter { $0.bundleID.isSameText(as: bundleID) }
    // Nearly always, all purchases are of one app.
    let isAll = own.count == associations.count
    let keys = isAll ? [] : Set(own.map(\.key))
    func isOwn(_ id: String, _ environment: AppStoreEnvironment?) -> Bool {
      guard let environment, !isAll else { return isAll }
      return keys.contains(PurchaseKey(originalTransactionID: id, environment: environment))
    }
    return AppPurchases(
      bundleID: bundleID,
      transactions: isAll
        ? transactions
        : transactions.filter { isOwn($0.originalTransactionID, $0.environment) },
      renewals: isAll
        ? renewals : renewals.filter { isOwn($0.originalTransactionID, $0.environment) },
      catalog: catalog, durations: durations,
      unanswered: unanswered.filter { isOwn($0.originalTransactionID, $0.environment) })
  }

  /// Returns what the user may use in an app for which the rows were read.
  ///
  /// A bundled app that the host does not have now is read with the durations of this app.
  func entitlements(
    in app: EntitledApp, among apps: EntitledApps, at now: Date
  ) -> Entitlements {
    let bundled = app.readBundleIDs.dropFirst()
    let holdings = Holdings(
      purchases: purchases(of: app),
      bundled: bundled.map { bundleID in
        apps[bundleID].map { purchases(of: $0) }
          ?? purchases(of: bundleID, catalog: nil, durations: app.options.durations)
      }, acquired: acquired, validations: presentValidations)
    return Entitlements(of: holdings, catalog: app.catalog, options: app.options, at: now)
  }

  /// The validations, with the first of the failures that are left: whatever proves a purchase ends its failure,
  /// also without a validation.
  var presentValidations: [AppValidation] {
    validations.map { validation in
      guard validation.firstFailureDate != nil else { return validation }
      var present = validation
      present.firstFailureDate = firstFailureDate(of: keys(of: validation.bundleID))
      return present
    }
  }

  /// Returns the moment since which the state of one of these purchases can't be learned; nil if all are known.
  func firstFailureDate(of keys: Set<PurchaseKey>) -> Date? {
    unanswered.filter { keys.contains($0.key) }.map(\.firstFailureDate).min()
  }

  func keys(of app: EntitledApp) -> Set<PurchaseKey> { keys(of: app.bundleID) }

  private func keys(of bundleID: String) -> Set<PurchaseKey> {
    Set(associations.filter { $0.bundleID.isSameText(as: bundleID) }.map(\.key))
  }
}
