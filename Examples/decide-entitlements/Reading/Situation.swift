import EntitlementPolicy
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

/// A user of an app at a moment, with everything that is stored.
struct Situation {
  var holdings: Holdings
  var catalog: ProductCatalog
  var options: EntitlementOptions
  var now: Date
  /// The products that the user wishes to acquire.
  var wishes: [String]
  /// Whether the user wishes to acquire all products.
  var wishesAll: Bool

  /// Reads a line; members that it does not know are left out.
  init(_ members: LineMembers) throws(LineFailure) {
    now = try members.moment("now")
    catalog = try members.catalog()
    options =
      try members.object("options").map { members throws(LineFailure) in
        try members.options()
      } ?? .standard
    let userID = try members.accountID("userId")
    options = options.counting(for: userID.map { Account(id: $0) })
    wishes = try members.texts("acquire")
    wishesAll = try members.flag("acquireAll") ?? false
    let bundleID = try members.text("bundleId") ?? ""
    let validations = try members.validations(bundleID)
    var apps = try members.apps(of: bundleID, catalog: catalog, options: options, now: now)
      .map { $0.failing(as: validations) }
    let own = apps.removeFirst()
    holdings = Holdings(
      purchases: AppPurchases(
        bundleID: bundleID,
        products: try members.texts("purchased").map { PurchasedProduct(productID: $0) }
          + own.products,
        subscriptions: own.subscriptions),
      bundled: apps,
      acquired: try members.texts("acquired").map {
        AcquiredProduct(productID: $0, acquiredDate: .distantPast, viaProductID: "")
      },
      validations: validations)
  }

  var answer: [UInt8] {
    Answer(
      Entitlements(of: holdings, catalog: catalog, options: options, at: now), situation: self
    ).line
  }
}
