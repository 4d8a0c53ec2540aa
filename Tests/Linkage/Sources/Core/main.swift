import CreditPolicy
import EntitlementPolicy
import OrderPolicy
import HTTPMessages
import InMemoryStorage
import JSONValues
import LinkPolicy
import PurchaseStorage
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Uses each module of the core, so that the linker keeps them.
let transaction = try Transaction(json: JSONValue(parsing: Array(#"{"quantity":1}"#.utf8)))
let date = Date(timeIntervalSince1970: 0)
let subscription = Subscription(
  environment: .production, originalTransactionID: "1", lastTransactionID: "1", productID: "a",
  purchaseDate: date, expiresDate: date, tier: .standard, cycle: .month, autoRenewal: false)
let decision = LinkProposal(
  account: Account(id: "a"), subscription: subscription, accountMembership: nil,
  subscriptionMembership: nil
).decision(at: subscription.purchaseDate)
let purchase = CreditPurchase(
  environment: .production, transactionID: "1", bundleID: "a", productID: "b", purchaseDate: date)
let grant = GrantProposal(
  claim: GrantClaim(
    userID: "a", productCode: "b", appStoreProductID: "b", transactionID: "1"),
  product: CreditProduct(code: "b", appStoreProductID: "b", credits: 1), purchase: purchase
).decision(stored: nil, isStarterUsed: false, balance: 0)
let list = #"[{"identifier":"c","productType":"nonConsumable"}]"#
let entitlements = Entitlements(
  of: Holdings(purchases: AppPurchases(bundleID: "a", productIDs: ["c"])),
  catalog: try ProductCatalog(json: Array(list.utf8)), at: date)
let level = SubscriptionLevel(
  name: "Basic", description: "", quota: 1, fee: "4.99", appleProductID: "a")
let order = OrderDecision(
  on: SubscriptionOrder(userID: "a", vendor: .apple, receiptData: "-"),
  .valid(
    VendorPurchase(
      productID: "a", expiration: date,
      purchaseKey: PurchaseKey(vendor: .apple, environment: .production, identifier: "1"))),
  levels: try SubscriptionLevels([level]), OrderSituation(), at: date)
let store = InMemoryPurchaseStore()
print(
  transaction.quantity ?? 0, HTTPRequestMethod.get, decision.writes.count, grant,
  entitlements.allowedProducts, order, store)
