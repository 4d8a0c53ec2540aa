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
    wishes = try members.texts("acquire")
    wishesAll = try members.flag("acquireAll")
    let bundleID = try members.text("bundleId") ?? ""
    var apps = try members.apps(of: bundleID, catalog: catalog, options: options, now: now)
    let own = apps.removeFirst()
    holdings = Holdings(
      purchases: AppPurchases(
        bundleID: bundleID, productIDs: try members.texts("purchased") + own.productIDs,
        subscriptions: own.subscriptions),
      bundled: apps,
      acquired: try members.texts("acquired").map {
        AcquiredProduct(productID: $0, acquiredDate: .distantPast, viaProductID: "")
      },
      validations: try members.validations(bundleID))
  }

  var answer: [UInt8] {
    Answer(
      Entitlements(of: holdings, catalog: catalog, options: options, at: now), situation: self
    ).line
  }
}
