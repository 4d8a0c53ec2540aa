package import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON of a subscription, with all members, even those that are null.
///
/// Transaction IDs are checked when a body is read. Dates have whole seconds. Source: linking rules, section 1.2.
package struct SubscriptionBody: FieldModel {
  package var subscription: Subscription

  package var additionalMembers: [String: JSONValue] = [:]

  package init() {
    let epoch = Date(timeIntervalSince1970: 0)
    subscription = Subscription(
      environment: .production, originalTransactionID: "", lastTransactionID: "", productID: "",
      purchaseDate: epoch, expiresDate: epoch, tier: .standard, cycle: .month, autoRenewal: false)
  }

  package init(_ subscription: Subscription) { self.subscription = subscription }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("environment", &subscription.environment)
    if let known = AppStoreEnvironment(anyCase: subscription.environment.rawValue) {
      subscription.environment = known
    }
    try coder.transactionID("originalTransactionId", &subscription.originalTransactionID)
    try coder.transactionID("lastTransactionId", &subscription.lastTransactionID)
    try coder.required("productId", &subscription.productID)
    try coder.timestamp("purchaseDateUtc", &subscription.purchaseDate)
    try coder.timestamp("expiresDateUtc", &subscription.expiresDate)
    try coder.required("tier", &subscription.tier)
    try coder.required("cycle", &subscription.cycle)
    try coder.preset("autoRenewal", &subscription.autoRenewal)
    try coder.nullableTimestamp("createdUtc", &subscription.createdDate)
    try coder.nullableTimestamp("updatedUtc", &subscription.updatedDate)
    try coder.nullable("ftcUserId", &subscription.owner)
    try coder.preset("inUse", &subscription.isInUse)
  }
}
