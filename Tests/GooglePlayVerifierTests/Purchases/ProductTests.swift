import Foundation
import GooglePlayVerifier
import JSONValues
import Testing

@Suite("One-time products of the Play store")
struct ProductTests {
  private static let full = #"""
    {"kind":"androidpublisher#productPurchaseV2",
     "productLineItem":[{"productId":"coins","productOfferDetails":{"quantity":3,
       "refundableQuantity":2,"consumptionState":"CONSUMPTION_STATE_YET_TO_BE_CONSUMED",
       "purchaseOptionId":"buy","offerId":"sale","offerTags":["x"],"offerToken":"o"}}],
     "purchaseStateContext":{"purchaseState":"PURCHASED"},
     "testPurchaseContext":{"fopType":"TEST"},"orderId":"GPA.7",
     "obfuscatedExternalAccountId":"u-1","obfuscatedExternalProfileId":"p-1","regionCode":"US",
     "purchaseCompletionTime":"2026-11-01T00:00:00.5Z",
     "acknowledgementState":"ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED","somethingNew":1}
    """#

  @Test("every member is read, and unknown ones are kept")
  func members() throws {
    let value = try json(Self.full)
    let purchase = try ProductPurchaseV2(json: value)
    let item = try #require(purchase.productLineItems.first)
    #expect(item.productID == "coins")
    #expect(item.productOfferDetails?.quantity == 3)
    #expect(item.productOfferDetails?.refundableQuantity == 2)
    #expect(item.productOfferDetails?.consumptionState == .yetToBeConsumed)
    #expect(item.productOfferDetails?.purchaseOptionID == "buy")
    #expect(item.productOfferDetails?.offerID == "sale")
    #expect(item.productOfferDetails?.offerTags == ["x"])
    #expect(purchase.purchaseState == .purchased)
    #expect(purchase.isTest)
    #expect(purchase.orderID == "GPA.7")
    #expect(purchase.obfuscatedExternalAccountID == "u-1")
    #expect(purchase.obfuscatedExternalProfileID == "p-1")
    #expect(purchase.regionCode == "US")
    #expect(purchase.purchaseCompletionTime == Date(timeIntervalSince1970: 1_793_491_200.5))
    #expect(purchase.acknowledgementState == .acknowledged)
    #expect(purchase.json == value)
  }

  @Test(
    "the states of a purchase",
    arguments: [
      ("PURCHASED", .purchased), ("CANCELLED", .cancelled), ("PENDING", .pending),
      ("NEW", .init(rawValue: "NEW")),
    ] as [(String, ProductPurchaseV2.PurchaseState)])
  func states(text: String, state: ProductPurchaseV2.PurchaseState) throws {
    let purchase = try ProductPurchaseV2(
      json: json(#"{"purchaseStateContext":{"purchaseState":"\#(text)"}}"#))
    #expect(purchase.purchaseState == state)
    #expect(!purchase.isTest)
  }

  @Test(
    "a member of the wrong type is named",
    arguments: [
      (#"{"productLineItem":[{}]}"#, "productLineItem[0].productId", .string, .absent),
      (
        #"{"productLineItem":[{"productId":"a","productOfferDetails":{"quantity":"x"}}]}"#,
        "productLineItem[0].productOfferDetails.quantity", .integer, .string
      ),
      (#"{"purchaseStateContext":[]}"#, "purchaseStateContext", .object, .array),
      (
        #"{"purchaseStateContext":{"purchaseState":0}}"#, "purchaseStateContext.purchaseState",
        .string, .integer
      ),
      (#"{"testPurchaseContext":1}"#, "testPurchaseContext", .object, .integer),
    ] as [(String, String, JSONKind, JSONKind)])
  func wrongTypes(text: String, path: String, expected: JSONKind, found: JSONKind) throws {
    let value = try json(text)
    #expect(throws: FieldTypeFailure(path: path, expected: expected, found: found)) {
      try ProductPurchaseV2(json: value)
    }
  }

  @Test("no identifier of a user is printed")
  func secrets() throws {
    let shown = printed(try ProductPurchaseV2(json: json(Self.full)))
    #expect(!shown.contains("u-1") && !shown.contains("p-1"))
  }
}
