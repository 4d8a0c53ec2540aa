import OrderPolicy
import JSONValues
import ReceiptModels
import StorekeeperHTTP
import StorekeeperToolSupport

/// A purchase that somebody may have claimed.
struct Claim: Hashable {
  private let vendor: UniqueText
  private let purchaseKey: UniqueText

  init(_ vendor: Vendor, _ purchaseKey: String) {
    self.vendor = UniqueText(vendor.rawValue)
    self.purchaseKey = UniqueText(purchaseKey)
  }

  /// The claim to the purchase with a key of a line, which is the text of its row as it stands.
  init(_ purchase: PurchaseKey) { self.init(purchase.vendor, purchase.identifier) }
}

// The levels and the stored rows (entitlement rules, section 12).
extension LineMembers {
  func levels() throws(LineFailure) -> SubscriptionLevels {
    let levels = try required("levels", .array, try elements("levels"))
    do throws(SubscriptionLevelFailure) {
      return try SubscriptionLevels(json: JSONValue.array(levels).serialized)
    } catch {
      throw LineFailure(path: path("levels"), error: "\(error)")
    }
  }

  /// The user's row, if there is one.
  func stored(of userID: AccountID) throws(LineFailure) -> OrderedSubscription? {
    guard let row = try object("stored") else { return nil }
    return OrderedSubscription(
      userID: userID, levelName: try row.neededText("level"),
      purchaseKey: PurchaseKey(
        vendor: Vendor(rawValue: try row.neededText("vendor")),
        environment: try row.environment() ?? .production,
        identifier: try row.neededText("purchase_key")),
      receiptData: try row.text("subscriptionReceiptData") ?? "-",
      expiration: try row.moment("subscriptionExpiration"),
      validatedDate: try row.moment("validated_at"))
  }

  /// The owners of the claimed purchases.
  func claims() throws(LineFailure) -> [Claim: AccountID] {
    var owners: [Claim: AccountID] = [:]
    for row in try objects("claims") {
      let claim = Claim(
        Vendor(rawValue: try row.neededText("vendor")), try row.neededText("purchase_key"))
      let user = try row.required("user_id", .string, try row.accountID("user_id"))
      guard owners.updateValue(user, forKey: claim) == nil else {
        throw LineFailure(path: row.path("purchase_key"), error: "the purchase is claimed twice")
      }
    }
    return owners
  }

  /// The environments whose purchases count, and the testers.
  func countedEnvironments() throws(LineFailure) -> CountedEnvironments {
    var counted = CountedEnvironments.all
    if try elements("environments") != nil {
      let names = try texts("environments")
      counted.environments = Set(names.map(AppStoreEnvironment.init(rawValue:)))
    }
    counted.testers = Set(try accountIDs("testers"))
    return counted
  }

  /// The environment of a purchase, if it is named.
  func environment() throws(LineFailure) -> AppStoreEnvironment? {
    try text("environment").map(AppStoreEnvironment.init(rawValue:))
  }
}
