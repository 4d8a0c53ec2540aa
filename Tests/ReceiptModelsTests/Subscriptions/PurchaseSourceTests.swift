import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels
import Testing

@Suite("Sources of purchases")
struct PurchaseSourceTests {
  static let start = Date(timeIntervalSince1970: 1_600_000_000)
  static let end = Date(timeIntervalSince1970: 1_602_592_000)

  static func answer(_ text: String) throws -> VerifyReceiptResponse {
    try VerifyReceiptResponse(json: JSONValue(parsing: Array(text.utf8)))
  }

  // MARK: verifyReceipt

  @Test("the copy in latest_receipt_info wins over the one in in_app")
  func merge() throws {
    let answer = try Self.answer(
      """
      {"status":0,"environment":"Sandbox","receipt":{"in_app":[
      {"transaction_id":"1","product_id":"p","expires_date_ms":"1602592000000"},
      {"transaction_id":"2","product_id":"once"}]},
      "latest_receipt_info":[
      {"transaction_id":"1","product_id":"p","expires_date_ms":"1602592000000",
      "cancellation_date_ms":"1600000000000","cancellation_reason":"0"},
      {"transaction_id":"3","original_transaction_id":"1","product_id":"p",
      "expires_date_ms":"1602591000000","subscription_group_identifier":"g"}],
      "pending_renewal_info":[{"original_transaction_id":"1","auto_renew_status":"0"}]}
      """)
    let histories = answer.purchaseHistories()
    #expect(histories.map(\.originalTransactionID) == ["1", "2"])
    let history = try #require(histories.first)
    #expect(history.transactions.map(\.transactionID) == ["1", "3"])
    #expect(history.transactions.map(\.isCancelled) == [true, false])
    #expect(history.renewals.map(\.willRenew) == [false])
    #expect(history.environment == .sandbox)
    #expect(history.knowledge == .remote)
    #expect(history.subscriptionGroupID == "g")
    #expect(answer.purchaseHistories(environment: .production)[0].environment == .production)
    #expect(answer.subscriptions(at: Self.start).map(\.originalTransactionID) == ["1"])
    #expect(
      answer.subscriptions(at: Self.end).map(\.state) == [.revoked(.refund(.other))])
  }

  @Test(
    "an answer without latest transactions and renewals only repeats the receipt",
    arguments: [
      ("", SubscriptionKnowledge.local), (#","latest_receipt_info":[]"#, .remote),
      (#","pending_renewal_info":[]"#, .remote),
    ])
  func knowledge(member: String, knowledge: SubscriptionKnowledge) throws {
    let answer = try Self.answer(
      #"{"status":0,"receipt":{"in_app":[{"transaction_id":"1","product_id":"p"}]}\#(member)}"#)
    #expect(answer.purchaseHistories().map(\.knowledge) == [knowledge])
  }

  @Test(
    "only an answer about a valid receipt has purchases",
    arguments: [(0, 1), (21006, 1), (2, 0), (21002, 0), (21003, 0), (21010, 0), (21100, 0)])
  func status(status: Int, count: Int) throws {
    let answer = try Self.answer(
      #"{"status":\#(status),"receipt":{"in_app":[{"transaction_id":"1","product_id":"p"}]}}"#)
    #expect(answer.purchaseHistories().count == count)
  }

  @Test("iOS 6 tells about the renewal and the cancellation at the top level")
  func flat() throws {
    let answer = try Self.answer(
      """
      {"status":21006,"receipt":{"bid":"a","transaction_id":"1","product_id":"p",
      "expires_date":"1600000000000"},"latest_expired_receipt_info":{"bid":"a",
      "transaction_id":"2","original_transaction_id":"1","product_id":"p",
      "expires_date":"1602592000000"},"auto_renew_status":0,"expiration_intent":"1"}
      """)
    let history = try #require(answer.purchaseHistories().first)
    #expect(history.transactions.map(\.transactionID) == ["2", "1"])
    #expect(history.summary(at: Self.end).state == .expired(.customerCancelled))
    let cancelled = try Self.answer(
      """
      {"status":0,"receipt":{"bid":"a","transaction_id":"1","product_id":"p",
      "expires_date":"1602592000000","cancellation_date_ms":"1600000000000"},
      "cancellation_reason":"1"}
      """)
    #expect(
      cancelled.subscriptions(at: Self.start).map(\.state) == [.revoked(.refund(.issueInApp))])
  }

  @Test(
    "a date or flag that says something unreadable never entitles",
    arguments: [
      (#""expires_date_ms":"soon""#, false), (#""expires_date_ms":1e400"#, false),
      (#""expires_date_ms":"1e400""#, false), (#""expires_date":"2030-01-01""#, false),
      (#""expires_date_ms":9223372036854775807"#, false), (#""expires_date_formatted":"?""#, false),
      (#""cancellation_date_ms":"nan""#, false), (#""cancellation_date":true"#, false),
      (#""is_upgraded":"maybe""#, false), (#""cancellation_date":"""#, true),
      (#""quantity":"many""#, true),
      // Whatever only subscriptions have, without an expiry.
      (#""expires_date_ms":"""#, false), (#""expires_date":"""#, false),
      (#""expires_date_pst":"2030-01-01 00:00:00 America/Los_Angeles""#, false),
      (#""expires_date_formatted_pst":"2030-01-01 00:00:00 America/Los_Angeles""#, false),
      (#""is_upgraded":"false""#, false), (#""web_order_line_item_id":"7""#, false),
      (#""web_order_line_item_id":7,"expires_date":null"#, false),
      (#""web_order_line_item_id":["7"]"#, false),
      (#""web_order_line_item_id":"7","expires_date":"""#, false),
      (#""subscription_group_identifier":"g""#, false), (#""is_trial_period":"true""#, false),
      (#""is_in_intro_offer_period":"1""#, false),
      // And what products for good have.
      (#""expires_date_ms":null"#, true), (#""web_order_line_item_id":"0""#, true),
      (#""web_order_line_item_id":0"#, true), (#""web_order_line_item_id":"""#, true),
      (#""web_order_line_item_id":null"#, true), (#""subscription_group_identifier":"""#, true),
      (#""is_trial_period":"false","is_in_intro_offer_period":"false""#, true),
    ])
  func unreadable(member: String, isEntitled: Bool) throws {
    let bytes = Array(#"{"transaction_id":"1","product_id":"p",\#(member)}"#.utf8)
    // A number beyond Double is refused by the reader of JSON already.
    guard let json = try? JSONValue(parsing: bytes) else {
      #expect(member.contains("1e400"))
      return
    }
    let record = try #require(PurchaseRecord(ReceiptTransaction(json: json)))
    let summary = try SubscriptionStateTests.summary([record])
    #expect(summary.isEntitled == isEntitled)
  }

  @Test(
    "a flag of an upgrade that cannot be read is null, and ends nothing that is paid for",
    arguments: [#""maybe""#, "2", "[]", "{}", #""""#])
  func unreadableUpgrade(value: String) throws {
    let transaction = try ReceiptTransaction(
      json: JSONValue(
        parsing: Array(
          """
          {"transaction_id":"1","product_id":"p","expires_date_ms":"1602592000000",
          "is_upgraded":\(value)}
          """.utf8)))
    #expect(transaction.isUpgraded == nil)
    let record = try #require(PurchaseRecord(transaction))
    #expect(!record.isUpgraded)
    let end = Date(timeIntervalSince1970: 1_602_592_000)
    #expect(try SubscriptionStateTests.summary([record]).state == .active(until: end))
  }

  @Test(
    "nothing entitles where Apple says that the subscription has expired",
    arguments: [
      (#""expires_date":"1602592000000""#, SubscriptionState.expired(.customerCancelled)),
      (#""expires_date":"","web_order_line_item_id":"7""#, .expired(.customerCancelled)),
      ("", .expired(.customerCancelled)), (#""cancellation_date":"?""#, .refunded(.refund(nil))),
    ])
  func declaredExpired(member: String, state: SubscriptionState) throws {
    let separator = member.isEmpty ? "" : ","
    let answer = try Self.answer(
      """
      {"status":21006,"receipt":{"bid":"a","transaction_id":"1","product_id":"p"\(separator)
      \(member)},"expiration_intent":"1","auto_renew_status":0}
      """)
    let history = try #require(answer.purchaseHistories().first)
    #expect(history.isDeclaredExpired)
    #expect(history.summary(at: Self.start).state == state)
    #expect(!history.summary(at: Self.start, durations: ["p": .seconds(1_000_000_000)]).isEntitled)
    let renewed = try Self.answer(
      """
      {"status":21006,"receipt":{"bid":"a","transaction_id":"1","product_id":"p",
      "expires_date":"1590000000000"},"pending_renewal_info":[{"original_transaction_id":"1",
      "product_id":"p","grace_period_expires_date_ms":"1602592000000",
      "is_in_billing_retry_period":"1"}]}
      """)
    #expect(renewed.subscriptions(at: Self.start).map(\.state) == [.inBillingRetry])
  }

  @Test("another charge without an end does not make a subscription endless")
  func mixedEnds() throws {
    let answer = try Self.answer(
      """
      {"status":0,"latest_receipt_info":[
      {"transaction_id":"1","product_id":"p","web_order_line_item_id":"7"},
      {"transaction_id":"2","original_transaction_id":"1","product_id":"p"}]}
      """)
    #expect(answer.subscriptions(at: Self.start).map(\.state) == [.expired(.unknown)])
  }

  @Test("iOS 6 may tell of billing retry and nothing else")
  func flatRetry() throws {
    let answer = try Self.answer(
      """
      {"status":21006,"receipt":{"bid":"a","transaction_id":"1","product_id":"p",
      "expires_date":"1590000000000"},"is_in_billing_retry_period":"1"}
      """)
    #expect(answer.subscriptions(at: Self.start).map(\.state) == [.inBillingRetry])
  }

  @Test(
    "what only the receipt has decides nothing of a subscription that the latest list names",
    arguments: [
      (
        #""transaction_id":"2","product_id":"premium","cancellation_date_ms":"1599000000000""#,
        SubscriptionState.revoked(.refund(nil))
      ),
      (#""transaction_id":"2","product_id":"premium","is_upgraded":"true""#, .upgraded),
      (#""transaction_id":"2","product_id":"premium""#, .active(until: end)),
      // The latest list names it, if only by a transaction that cannot be read.
      (#""transaction_id":[],"product_id":"premium""#, .expired(.unknown)),
    ])
  func stale(latest: String, state: SubscriptionState) throws {
    let answer = try Self.answer(
      """
      {"status":0,"receipt":{"in_app":[
      {"transaction_id":"1","product_id":"basic","expires_date_ms":"1609999999000",
      "is_trial_period":"true","subscription_group_identifier":"g"},
      {"transaction_id":"5","product_id":"other","expires_date_ms":"1601592000000"},
      {"transaction_id":"6","product_id":"once"}]},
      "latest_receipt_info":[{"original_transaction_id":"1","expires_date_ms":"1602592000000",
      \(latest)}]}
      """)
    let histories = answer.purchaseHistories()
    let history = try #require(histories.first { $0.originalTransactionID == "1" })
    #expect(history.summary(at: Self.start).state == state)
    #expect(history.transactions.first { $0.transactionID == "1" }?.isOutdated == true)
    #expect(histories.flatMap(\.transactions).count { $0.isOutdated } == 1)
    // Of what the latest list does not name the receipt decides.
    let others = histories.filter { $0.originalTransactionID != "1" }
      .map { $0.summary(at: Self.start).state.name }
    #expect(others == ["active", "owned"])
    // It still counts as the past.
    #expect(
      PurchaseHistory.introOfferEligibility(
        groupID: "g", in: histories, areComplete: true, at: Self.start) == .ineligible)
  }

  @Test("a copy in the receipt gives way to the latest one, and is not outdated")
  func sameCopy() throws {
    let transaction =
      #"{"transaction_id":"1","product_id":"p","expires_date_ms":"1602592000000"}"#
    let answer = try Self.answer(
      """
      {"status":0,"receipt":{"in_app":[\(transaction)]},"latest_receipt_info":[\(transaction)]}
      """)
    let history = try #require(answer.purchaseHistories().first)
    #expect(history.transactions.map(\.isOutdated) == [false])
    #expect(history.summary(at: Self.start).state == .active(until: Self.end))
  }

  @Test("every field of a transaction is taken over")
  func transactionFields() throws {
    let json = try JSONValue(
      parsing: Array(
        """
        {"transaction_id":"2","original_transaction_id":"1","product_id":"p","quantity":"3",
        "web_order_line_item_id":"4","purchase_date_ms":"1600000000000",
        "original_purchase_date_ms":"1590000000000","expires_date_ms":"1602592000000",
        "cancellation_date_ms":"1601000000000","cancellation_reason":"1","is_trial_period":"true",
        "is_in_intro_offer_period":"false","promotional_offer_id":"o","is_upgraded":"true",
        "in_app_ownership_type":"FAMILY_SHARED","subscription_group_identifier":"g",
        "app_account_token":"7e3fb20b-4cdb-47cc-936d-99d65f608138"}
        """.utf8))
    let record = try #require(PurchaseRecord(ReceiptTransaction(json: json)))
    #expect(record.transactionID == "2")
    #expect(record.originalTransactionID == "1")
    #expect(record.productID == "p")
    #expect(record.quantity == 3)
    #expect(record.webOrderLineItemID == "4")
    #expect(record.purchaseDate == Self.start)
    #expect(record.originalPurchaseDate == Date(timeIntervalSince1970: 1_590_000_000))
    #expect(record.expiresDate == Self.end)
    #expect(record.cancellationDate == Date(timeIntervalSince1970: 1_601_000_000))
    #expect(record.revocationReason == .issueInApp)
    #expect(record.isTrialPeriod == true)
    #expect(record.isInIntroOfferPeriod == false)
    #expect(record.offer == PurchaseOffer(type: .promotional, identifier: "o"))
    #expect(record.isUpgraded)
    #expect(record.isFamilyShared)
    #expect(record.subscriptionGroupID == "g")
    #expect(
      record.appAccountToken == UUID(uuidString: "7e3fb20b-4cdb-47cc-936d-99d65f608138"))
    #expect(record.environment == nil)
  }

  @Test("a renewal takes the newer name of the price consent first")
  func renewalFields() throws {
    var pending = PendingRenewal()
    pending.originalTransactionID = "1"
    pending.priceConsentStatus = .notAnswered
    #expect(RenewalRecord(pending)?.priceIncreaseStatus == .notAnswered)
    pending.priceIncreaseStatus = .consented
    pending.offerCodeRefName = "code"
    pending.autoRenewStatus = AutoRenewStatus(rawValue: 7)
    let record = try #require(RenewalRecord(pending))
    #expect(record.priceIncreaseStatus == .consented)
    #expect(record.offer == PurchaseOffer(type: .offerCode, identifier: "code"))
    #expect(record.willRenew == false)
    #expect(!record.isInBillingRetry)
  }

  // MARK: Other sources

  @Test("a local receipt knows the expiry, and nothing of renewal")
  func localReceipt() throws {
    var receipt = AppReceipt(
      receiptType: .productionSandbox, bundleID: "a", creationDate: Self.start)
    var purchase = AppReceipt.Purchase()
    purchase.transactionID = "2"
    purchase.originalTransactionID = "1"
    purchase.productID = "p"
    purchase.expiresDate = Self.end
    purchase.webOrderLineItemID = 0
    var once = AppReceipt.Purchase()
    once.transactionID = "7"
    once.productID = "season"
    once.productType = .nonRenewingSubscription
    once.purchaseDate = Self.start
    receipt.purchases = [once, purchase]
    let summaries = receipt.subscriptions(at: Self.start, durations: ["season": .seconds(60)])
    #expect(
      summaries.map(\.state) == [
        .active(until: Self.end), .active(until: Self.start + 60),
      ])
    #expect(summaries.map(\.status) == [.active, nil])
    #expect(summaries.allSatisfy { $0.knowledge == .local && $0.environment == .sandbox })
    #expect(summaries[0].transaction.webOrderLineItemID == nil)
    #expect(
      receipt.subscriptions(at: Self.end).map(\.state) == [.expired(.unknown), .expired(.unknown)])
  }

  @Test(
    "a subscription of a local receipt without an expiry never entitles",
    arguments: [
      (.autoRenewableSubscription, nil, false), (.autoRenewableSubscription, 0, false),
      (.freeSubscription, nil, false), (nil, 7, false), (.nonConsumable, 7, false),
      (nil, nil, true), (nil, 0, true), (.nonConsumable, 0, true), (.consumable, nil, true),
    ] as [(AppReceiptProductType?, Int?, Bool)])
  func localWithoutExpiry(type: AppReceiptProductType?, event: Int?, isEntitled: Bool) throws {
    var purchase = AppReceipt.Purchase()
    purchase.transactionID = "1"
    purchase.productID = "p"
    purchase.productType = type
    purchase.webOrderLineItemID = event
    let record = try #require(PurchaseRecord(purchase, environment: .production))
    #expect(record.hasUnreadableExpiry != isEntitled)
    #expect(try SubscriptionStateTests.summary([record]).isEntitled == isEntitled)
  }

  @Test(
    "a signed subscription without an expiry never entitles",
    arguments: [
      (.autoRenewableSubscription, nil, false), (nil, "7", false), (nil, nil, true),
      (.nonConsumable, nil, true),
    ] as [(ProductType?, String?, Bool)])
  func signedWithoutExpiry(type: ProductType?, event: String?, isEntitled: Bool) throws {
    var transaction = Transaction()
    transaction.transactionID = "1"
    transaction.productID = "p"
    transaction.type = type
    transaction.webOrderLineItemID = event
    let record = try #require(PurchaseRecord(transaction))
    #expect(try SubscriptionStateTests.summary([record]).isEntitled == isEntitled)
  }

  @Test(
    "a commitment counts the payments that are left, and one without such a period is none",
    arguments: [
      (1, 12, 11), (12, 12, 0), (0, 12, nil), (13, 12, nil), (1, 1001, nil), (nil, 12, nil),
      (1, nil, nil),
    ] as [(Int?, Int?, Int?)])
  func commitment(period: Int?, payments: Int?, left: Int?) throws {
    var transaction = Transaction()
    (transaction.transactionID, transaction.productID) = ("1", "p")
    var info = TransactionCommitmentInfo()
    info.billingPeriodNumber = period
    info.totalBillingPeriods = payments
    info.commitmentExpiresDate = Date(timeIntervalSince1970: 1_700_000_000)
    info.commitmentPrice = 59_880
    transaction.commitmentInfo = info
    let commitment = try #require(PurchaseRecord(transaction)).commitment
    #expect(
      commitment
        == left.map {
          PurchaseCommitment(
            paymentsLeft: $0, payments: payments, expiresDate: info.commitmentExpiresDate,
            price: 59_880)
        })
  }

  @Test("a renewal says what follows a commitment")
  func commitmentRenewal() throws {
    var info = RenewalInfo()
    (info.originalTransactionID, info.productID) = ("1", "p")
    #expect(try #require(RenewalRecord(info)).commitment == nil)
    var next = RenewalCommitmentInfo()
    next.commitmentAutoRenewStatus = .off
    next.commitmentAutoRenewProductID = "q"
    next.commitmentRenewalBillingPlanType = .monthly
    next.commitmentRenewalPrice = 59_880
    info.commitmentInfo = next
    #expect(
      try #require(RenewalRecord(info)).commitment
        == CommitmentRenewal(
          willRenew: false, productID: "q", planID: "MONTHLY", renewalPrice: 59_880))
  }

  @Test("a purchase of Xcode without original identifier is its own original")
  func xcode() throws {
    var purchase = AppReceipt.Purchase()
    purchase.transactionID = "0"
    purchase.productID = "p"
    let record = try #require(PurchaseRecord(purchase, environment: .xcode))
    #expect(record.originalTransactionID == "0")
    #expect(record.environment == .xcode)
  }

  @Test(
    "a signed transaction tells trial and introductory offer apart",
    arguments: [
      (nil, nil, false, false), (.introductory, .freeTrial, true, false),
      (.introductory, .payAsYouGo, false, true), (.introductory, nil, nil, true),
      (.promotional, .freeTrial, false, false), (.offerCode, nil, false, false),
    ] as [(OfferType?, OfferDiscountType?, Bool?, Bool?)])
  func signed(
    offer: OfferType?, discount: OfferDiscountType?, isTrial: Bool?, isIntro: Bool?
  ) throws {
    var transaction = Transaction()
    transaction.transactionID = "2"
    transaction.originalTransactionID = "1"
    transaction.productID = "p"
    transaction.environment = .production
    transaction.expiresDate = Self.end
    transaction.signedDate = Self.start
    transaction.offerType = offer
    transaction.offerDiscountType = discount
    var renewal = RenewalInfo()
    renewal.originalTransactionID = "1"
    renewal.environment = .production
    renewal.autoRenewStatus = .on
    renewal.autoRenewProductID = "q"
    let history = try #require(
      PurchaseHistory.histories(
        of: [transaction], renewals: [renewal], knowledge: .notification
      ).first)
    let summary = history.summary(at: Self.start)
    #expect(summary.transaction.isTrialPeriod == isTrial)
    #expect(summary.transaction.isInIntroOfferPeriod == isIntro)
    #expect(summary.offer?.type == offer)
    #expect(summary.pendingProductID == "q")
    #expect(summary.environment == .production)
  }

  // MARK: Recorded answers

  @Test(
    "recorded subscriptions are in the state that Apple's answer tells",
    .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"),
    arguments: [
      ("dollabill-bought_consumable", "test_sub2", "expired"),
      ("dollabill-subscription_multiple_subscription_purchases", "test_sub2", "active"),
      ("dollabill-exclude_old_transactions", "test_subscription", "expired"),
    ])
  func recorded(name: String, product: String, state: String) throws {
    let json = try JSONValue(
      parsing: Array(Fixtures.data("verify-receipt/json/\(name).json")))
    let answer = try VerifyReceiptResponse(json: json)
    let now = try #require(answer.requestDate)
    let summaries = answer.subscriptions(at: now)
    let summary = try #require(
      summaries.first { $0.originalTransactionID == "1000000741421650" })
    #expect(summary.productID == product)
    #expect(summary.state.name == state)
    #expect(summary.environment == .sandbox)
  }
}
