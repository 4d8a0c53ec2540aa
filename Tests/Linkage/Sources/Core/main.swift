import HTTPMessages
import LinkPolicy
import PurchaseStorage
import JSONValues
import ReceiptModels

// Uses each module of the core, so that the linker keeps them.
let transaction = try Transaction(json: JSONValue(parsing: Array(#"{"quantity":1}"#.utf8)))
let subscription = try Subscription(
  json: JSONValue(
    parsing: Array(
      #"""
      {"environment":"Production","originalTransactionId":"1","lastTransactionId":"1",
      "productId":"a","purchaseDateUtc":"2020-11-01T00:00:00Z",
      "expiresDateUtc":"2020-12-01T00:00:00Z","tier":"standard","cycle":"month"}
      """#.utf8)))
let decision = LinkProposal(
  account: Account(id: "a"), subscription: subscription, accountMembership: nil,
  subscriptionMembership: nil
).decision(at: subscription.purchaseDate)
let store = InMemoryPurchaseStore()
print(transaction.quantity ?? 0, HTTPRequestMethod.get, decision.writes.count, store)
