import Foundation
import GooglePlayVerifier
import JSONValues
import Testing

@Suite("Subscriptions of the Play store")
struct SubscriptionTests {
  /// An answer with every member that is read.
  static let full = #"""
    {"kind":"androidpublisher#subscriptionPurchaseV2","regionCode":"DE",
     "startTime":"2026-01-01T00:00:00.123456789Z",
     "subscriptionState":"SUBSCRIPTION_STATE_ACTIVE",
     "latestOrderId":"GPA.1..2","linkedPurchaseToken":"older-token",
     "acknowledgementState":"ACKNOWLEDGEMENT_STATE_PENDING",
     "externalAccountIdentifiers":{"obfuscatedExternalAccountId":"u-1",
       "obfuscatedExternalProfileId":"p-1"},
     "lineItems":[{"productId":"pro","expiryTime":"2026-12-01T00:00:00Z",
       "latestSuccessfulOrderId":"GPA.1..2",
       "autoRenewingPlan":{"autoRenewEnabled":true,
         "recurringPrice":{"currencyCode":"EUR","units":"9","nanos":990000000},
         "priceChangeDetails":{"newPrice":{"currencyCode":"EUR","units":"10"},
           "priceChangeMode":"PRICE_INCREASE","priceChangeState":"OUTSTANDING",
           "expectedNewPriceChargeTime":"2027-01-01T00:00:00Z"}},
       "offerDetails":{"basePlanId":"monthly","offerId":"trial","offerTags":["a","b"]},
       "deferredItemReplacement":{"productId":"lite"},
       "deferredItemRemoval":{},
       "itemReplacement":{"productId":"old","basePlanId":"yearly","replacementMode":"DEFERRED"}}],
     "canceledStateContext":{"userInitiatedCancellation":{"cancelTime":"2026-11-01T00:00:00Z",
       "cancelSurveyResult":{"reason":"CANCEL_SURVEY_REASON_OTHERS"}}},
     "pausedStateContext":{"autoResumeTime":"2026-11-02T00:00:00Z"},
     "outOfAppPurchaseContext":{"expiredPurchaseToken":"expired-token",
       "expiredExternalAccountIdentifiers":{"obfuscatedExternalAccountId":"u-0"}},
     "testPurchase":{},"etag":"e-1","somethingNew":{"a":[1,2.5,null]}}
    """#

  @Test("every member is read, and unknown ones are kept")
  func members() throws {
    let value = try json(Self.full)
    let purchase = try SubscriptionPurchaseV2(json: value)
    #expect(purchase.subscriptionState == .active)
    #expect(purchase.regionCode == "DE")
    #expect(purchase.startTime == Date(timeIntervalSince1970: 1_767_225_600.123))
    #expect(purchase.linkedPurchaseToken == "older-token")
    #expect(purchase.acknowledgementState == .pending)
    #expect(purchase.obfuscatedExternalAccountID == "u-1")
    #expect(purchase.externalAccountIdentifiers?.obfuscatedExternalProfileID == "p-1")
    #expect(purchase.canceledStateContext?.initiator == .user)
    #expect(
      purchase.canceledStateContext?.userCancelTime == Date(timeIntervalSince1970: 1_793_491_200))
    #expect(
      purchase.pausedStateContext?.autoResumeTime == Date(timeIntervalSince1970: 1_793_577_600))
    #expect(purchase.outOfAppPurchaseContext?.expiredPurchaseToken == "expired-token")
    #expect(
      purchase.outOfAppPurchaseContext?.expiredExternalAccountIdentifiers?
        .obfuscatedExternalAccountID == "u-0")
    #expect(purchase.isTest)
    #expect(purchase.etag == "e-1")
    #expect(purchase.json == value)
    #expect(
      try JSONDecoder().decode(SubscriptionPurchaseV2.self, from: JSONEncoder().encode(purchase))
        == purchase)
  }

  @Test("every member of an item is read")
  func items() throws {
    let purchase = try SubscriptionPurchaseV2(json: json(Self.full))
    let item = try #require(purchase.lineItems.first)
    #expect(purchase.lineItems.count == 1)
    #expect(item.productID == "pro")
    #expect(item.expiryTime == Date(timeIntervalSince1970: 1_796_083_200))
    #expect(item.latestSuccessfulOrderID == "GPA.1..2")
    #expect(item.autoRenewingPlan?.autoRenewEnabled == true)
    #expect(item.autoRenewingPlan?.recurringPrice?.currencyCode == "EUR")
    #expect(item.autoRenewingPlan?.recurringPrice?.units == 9)
    #expect(item.autoRenewingPlan?.recurringPrice?.nanos == 990_000_000)
    let change = try #require(item.autoRenewingPlan?.priceChangeDetails)
    #expect(change.newPrice?.units == 10)
    #expect(change.newPrice?.nanos == 0)
    #expect(change.priceChangeMode == .increase)
    #expect(change.priceChangeState == .outstanding)
    #expect(change.expectedNewPriceChargeTime == Date(timeIntervalSince1970: 1_798_761_600))
    #expect(item.prepaidPlan == nil)
    #expect(item.offerDetails?.basePlanID == "monthly")
    #expect(item.offerDetails?.offerID == "trial")
    #expect(item.offerDetails?.offerTags == ["a", "b"])
    #expect(item.deferredReplacementProductID == "lite")
    #expect(item.isRemovedAtExpiry)
    #expect(item.itemReplacement?.productID == "old")
    #expect(item.itemReplacement?.basePlanID == "yearly")
    #expect(item.itemReplacement?.replacementMode == .deferred)
  }

  @Test("a prepaid plan is read")
  func prepaid() throws {
    let item = try SubscriptionPurchaseLineItem(
      json: json(
        #"{"productId":"a","prepaidPlan":{"allowExtendAfterTime":"2026-11-01T00:00:00Z"}}"#))
    #expect(item.prepaidPlan?.allowExtendAfterTime == Date(timeIntervalSince1970: 1_793_491_200))
    #expect(item.autoRenewingPlan == nil)
    #expect(item.expiryTime == nil)
    #expect(!item.isRemovedAtExpiry)
  }

  @Test("nothing is required of a purchase, and null counts as absent")
  func empty() throws {
    for text in ["{}", #"{"lineItems":null,"testPurchase":null,"subscriptionState":null}"#] {
      let purchase = try SubscriptionPurchaseV2(json: json(text))
      #expect(purchase.subscriptionState == nil)
      #expect(purchase.lineItems.isEmpty)
      #expect(!purchase.isTest)
      #expect(purchase.obfuscatedExternalAccountID == nil)
    }
  }

  @Test(
    "who signed up with a promotion code is no tester",
    arguments: [
      (#"{"oneTimeCode":{}}"#, .oneTimeCode),
      (#"{"vanityCode":{"promotionCode":"SPRING"}}"#, .vanityCode(promotionCode: "SPRING")),
    ] as [(String, SignupPromotion.Kind)])
  func promotion(text: String, kind: SignupPromotion.Kind) throws {
    let purchase = try SubscriptionPurchaseV2(
      json: json(
        #"{"lineItems":[{"productId":"a","signupPromotion":\#(text)}],"subscriptionState":"SUBSCRIPTION_STATE_ACTIVE"}"#
      ))
    #expect(purchase.lineItems.first?.signupPromotion?.kind == kind)
    #expect(!purchase.isTest)
  }

  @Test(
    "the party that canceled is read",
    arguments: [
      ("userInitiatedCancellation", .user), ("systemInitiatedCancellation", .system),
      ("developerInitiatedCancellation", .developer), ("replacementCancellation", .replacement),
      ("otherCancellation", nil),
    ] as [(String, CanceledStateContext.Initiator?)])
  func cancellations(name: String, initiator: CanceledStateContext.Initiator?) throws {
    let context = try CanceledStateContext(json: json(#"{"\#(name)":{}}"#))
    #expect(context.initiator == initiator)
    #expect(context.userCancelTime == nil)
  }

  @Test("an unknown state is kept")
  func unknownState() throws {
    let purchase = try SubscriptionPurchaseV2(json: json(#"{"subscriptionState":"NEW"}"#))
    #expect(purchase.subscriptionState?.rawValue == "NEW")
  }

  @Test(
    "a member of the wrong type is named",
    arguments: [
      (#"[]"#, "", .object, .array),
      (#"{"subscriptionState":1}"#, "subscriptionState", .string, .integer),
      (#"{"startTime":"now"}"#, "startTime", .timestamp, .string),
      (#"{"startTime":1}"#, "startTime", .timestamp, .integer),
      (#"{"linkedPurchaseToken":{}}"#, "linkedPurchaseToken", .string, .object),
      (#"{"testPurchase":true}"#, "testPurchase", .object, .boolean),
      (#"{"lineItems":{}}"#, "lineItems", .array, .object),
      (#"{"lineItems":[null]}"#, "lineItems[0]", .object, .null),
      (#"{"lineItems":[{}]}"#, "lineItems[0].productId", .string, .absent),
      (#"{"lineItems":[{"productId":""}]}"#, "lineItems[0].productId", .string, .absent),
      (
        #"{"lineItems":[{"productId":"a","expiryTime":"2026"}]}"#, "lineItems[0].expiryTime",
        .timestamp, .string
      ),
      (
        #"{"lineItems":[{"productId":"a","offerDetails":{"offerTags":["a",1]}}]}"#,
        "lineItems[0].offerDetails.offerTags[1]", .string, .integer
      ),
      (
        #"{"lineItems":[{"productId":"a","deferredItemReplacement":{}}]}"#,
        "lineItems[0].deferredItemReplacement.productId", .string, .absent
      ),
      (
        #"{"lineItems":[{"productId":"a","autoRenewingPlan":{"autoRenewEnabled":"true"}}]}"#,
        "lineItems[0].autoRenewingPlan.autoRenewEnabled", .boolean, .string
      ),
      (
        #"{"externalAccountIdentifiers":{"obfuscatedExternalAccountId":1}}"#,
        "externalAccountIdentifiers.obfuscatedExternalAccountId", .string, .integer
      ),
    ] as [(String, String, JSONKind, JSONKind)])
  func wrongTypes(text: String, path: String, expected: JSONKind, found: JSONKind) throws {
    let value = try json(text)
    #expect(throws: FieldTypeFailure(path: path, expected: expected, found: found)) {
      try SubscriptionPurchaseV2(json: value)
    }
  }

  @Test("no token and no identifier of a user is printed")
  func secrets() throws {
    let shown = printed(try SubscriptionPurchaseV2(json: json(Self.full)))
    for secret in ["older-token", "u-1", "p-1", "expired-token", "u-0", "GPA.1"] {
      #expect(!shown.contains(secret), "\(secret)")
    }
    #expect(shown.contains("subscriptionState"))
  }
}
