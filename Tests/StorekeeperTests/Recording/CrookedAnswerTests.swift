import Foundation
import InMemoryStorage
import StorekeeperHTTP
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("An answer of Apple with oddities", .onEveryStore)
struct CrookedAnswerTests {
  @Test(
    "of what may be missing is kept all the same",
    arguments: [
      #"{"auto_renew_product_id":"","original_transaction_id":"1","product_id":"a","auto_renew_status":"1"}"#,
      #"{"auto_renew_product_id":"a","original_transaction_id":"1","product_id":"","auto_renew_status":"1"}"#,
      #"{"auto_renew_product_id":"a","original_transaction_id":"1","auto_renew_status":"1"}"#,
      #"{"original_transaction_id":"1","product_id":"a","auto_renew_status":"1"}, {"original_transaction_id":"1","product_id":"a","auto_renew_status":"0"}"#,
    ])
  func renewals(entries: String) async throws {
    let subscription = try await subscription(renewals: entries)
    #expect(subscription.productID == "a")
    #expect(subscription.autoRenewal)
  }

  @Test("with texts longer than any column is kept without them")
  func longTexts() async throws {
    let long = String(repeating: "x", count: 5000)
    let subscription = try await subscription(
      version: long,
      transaction: #","web_order_line_item_id":"\#(long)""#
        + #","promotional_offer_id":"\#(long)""#)
    #expect(subscription.productID == "a")
  }

  @Test("that does not say when it was given is not kept")
  func noStamp() async throws {
    let failure = try await failure { _ = try await subscription(stamp: "") }
    #expect(failure?.answer(under: .current).field == "verification")
  }

  private func subscription(
    version: String = "1", stamp: String = #","request_date_ms":"1700000000000""#,
    transaction: String = "", renewals: String = ""
  ) async throws -> Subscription {
    let body = """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.reader",
      "receipt_type":"Production","application_version":"\(version)","in_app":[]\(stamp)},
      "latest_receipt":"MIIB","latest_receipt_info":[{"original_transaction_id":"1",
      "transaction_id":"1","product_id":"a","purchase_date_ms":"1700000000000",
      "expires_date_ms":"1702592000000"\(transaction)}],
      "pending_renewal_info":[\(renewals)]}
      """
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    configuration.clock = ManualClock()
    let service = try SubscriptionService(
      PurchaseContext(
        store: try await StoreScope.emptyStore(), accounts: InMemoryAccountDirectory()),
      products: ProductMap(["a": Plan(tier: .standard, cycle: .month)]),
      appStore: try VerifyReceiptClient(
        transport: FixedAnswer(.ok, body), bundleIDs: ["com.example.reader"],
        configuration: configuration))
    return try await service.subscription(receipt: "MIIB")
  }
}
