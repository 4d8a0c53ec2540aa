import AppStoreServerAPI
import Foundation
import ReceiptModels
import Testing

/// A request and the exact bytes of its body, members sorted by name.
struct WrittenBody: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: @Sendable () throws -> [UInt8]
  var expected: String

  init<Request: CheckedRequest>(
    _ request: Request, _ expected: String, change: (inout Request) -> Void = { _ in }
  ) {
    var request = request
    change(&request)
    let changed = request
    testDescription = "\(Request.self)"
    bytes = { try changed.checkedBody() }
    self.expected = expected
  }
}

@Suite("Bodies of requests")
struct RequestBodyTests {
  static let id = RequestLimitTests.id
  static let info = AdvancedCommerceRequestTests.info
  static let idText = #""01020304-0506-0708-090a-0b0c0d0e0f10""#
  static let infoText = #""requestInfo":{"requestReferenceId":\#(idText)}"#

  static let all: [WrittenBody] = [
    WrittenBody(
      ExtendRenewalDateRequest(
        extendByDays: 45, extendReasonCode: .customerSatisfaction, requestIdentifier: "fdf964a4"),
      #"{"extendByDays":45,"extendReasonCode":1,"requestIdentifier":"fdf964a4"}"#),
    WrittenBody(
      MassExtendRenewalDateRequest(
        requestIdentifier: id, extendByDays: 1, extendReasonCode: .undeclared, productID: "p"),
      """
      {"extendByDays":1,"extendReasonCode":0,"productId":"p","requestIdentifier":\(idText)}
      """),
    WrittenBody(
      MassExtendRenewalDateRequest(
        requestIdentifier: id, extendByDays: 90, extendReasonCode: .serviceIssue, productID: "p"),
      """
      {"extendByDays":90,"extendReasonCode":3,"productId":"p","requestIdentifier":\(idText),\
      "storefrontCountryCodes":["USA","MEX"]}
      """
    ) { $0.storefrontCountryCodes = ["USA", "MEX"] },
    // Whole milliseconds: a fraction gives status 400.
    WrittenBody(
      NotificationHistoryRequest(
        startDate: Date(timeIntervalSince1970: 1_698_148_900.123456),
        endDate: Date(timeIntervalSince1970: 1_698_148_950)),
      """
      {"endDate":1698148950000,"notificationSubtype":"INITIAL_BUY",\
      "notificationType":"SUBSCRIBED","onlyFailures":true,"startDate":1698148900123}
      """
    ) {
      $0.notificationType = .subscribed
      $0.notificationSubtype = .initialBuy
      $0.onlyFailures = true
    },
    WrittenBody(
      ConsumptionRequest(
        customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false),
      """
      {"consumptionPercentage":40000,"customerConsented":true,"deliveryStatus":"DELIVERED",\
      "refundPreference":"GRANT_PRORATED","sampleContentProvided":false}
      """
    ) {
      $0.consumptionPercentage = 40_000
      $0.refundPreference = .grantProrated
    },
    WrittenBody(
      ConsumptionRequestV1(
        customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: true),
      """
      {"accountTenure":0,"appAccountToken":"","consumptionStatus":0,"customerConsented":true,\
      "deliveryStatus":0,"lifetimeDollarsPurchased":0,"lifetimeDollarsRefunded":0,"platform":0,\
      "playTime":0,"sampleContentProvided":true,"userStatus":0}
      """),
    WrittenBody(
      ConsumptionRequestV1(
        customerConsented: true, deliveryStatus: .qualityIssue, sampleContentProvided: false),
      """
      {"accountTenure":4,"appAccountToken":\(idText),"consumptionStatus":3,\
      "customerConsented":true,"deliveryStatus":1,"lifetimeDollarsPurchased":2,\
      "lifetimeDollarsRefunded":1,"platform":2,"playTime":5,"refundPreference":3,\
      "sampleContentProvided":false,"userStatus":4}
      """
    ) {
      $0.accountTenure = .thirtyToNinetyDays
      $0.appAccountToken = id
      $0.consumptionStatus = .fullyConsumed
      $0.lifetimeDollarsPurchased = .upTo50
      $0.lifetimeDollarsRefunded = .zero
      $0.platform = .nonApple
      $0.playTime = .oneToFourDays
      $0.refundPreference = .noPreference
      $0.userStatus = .limitedAccess
    },
    WrittenBody(
      UpdateAppAccountTokenRequest(appAccountToken: id), #"{"appAccountToken":\#(idText)}"#),
    WrittenBody(
      UploadMessageRequest(header: "h", body: "b"),
      """
      {"body":"b","bulletPoints":[{"altText":"a","imageIdentifier":\(idText),"text":"t"}],\
      "header":"h","headerPosition":"ABOVE_BODY","image":{"altText":"i",\
      "imageIdentifier":\(idText)}}
      """
    ) {
      $0.bulletPoints = [BulletPoint(text: "t", imageIdentifier: id, altText: "a")]
      $0.headerPosition = .aboveBody
      $0.image = UploadMessageImage(imageIdentifier: id, altText: "i")
    },
    WrittenBody(
      DefaultMessageRequest(messageIdentifier: id), #"{"messageIdentifier":\#(idText)}"#),
    WrittenBody(
      RealtimeURLRequest(realtimeURL: "https://example.com/realtime"),
      #"{"realtimeURL":"https://example.com/realtime"}"#),
    WrittenBody(
      PerformanceTestRequest(originalTransactionID: "12"), #"{"originalTransactionId":"12"}"#),
    WrittenBody(
      AdvancedCommerceSubscriptionCancelRequest(requestInfo: info),
      #"{\#(infoText),"storefront":"USA"}"#
    ) { $0.storefront = "USA" },
    WrittenBody(
      AdvancedCommerceSubscriptionChangeMetadataRequest(requestInfo: info),
      """
      {"items":[{"SKU":"n","currentSKU":"c","effective":"IMMEDIATELY"}],\(infoText),\
      "taxCode":"t"}
      """
    ) {
      var item = AdvancedCommerceSubscriptionChangeMetadataItem(
        currentSKU: "c", effective: .immediately)
      item.sku = "n"
      $0.items = [item]
      $0.taxCode = "t"
    },
    WrittenBody(
      AdvancedCommerceSubscriptionPriceChangeRequest(
        requestInfo: info,
        items: [AdvancedCommerceSubscriptionPriceChangeItem(sku: "s", price: 15_000)]),
      #"{"currency":"USD","items":[{"SKU":"s","price":15000}],\#(infoText)}"#
    ) { $0.currency = "USD" },
    WrittenBody(
      AdvancedCommerceSubscriptionMigrateRequest(
        requestInfo: info,
        descriptors: AdvancedCommerceDescriptors(description: "d", displayName: "n"),
        items: [
          AdvancedCommerceSubscriptionMigrateItem(sku: "s", displayName: "i", description: "j")
        ], targetProductID: "p", taxCode: "t"),
      """
      {"descriptors":{"description":"d","displayName":"n"},"items":[{"SKU":"s",\
      "description":"j","displayName":"i"}],\(infoText),"targetProductId":"p","taxCode":"t"}
      """),
    WrittenBody(
      AdvancedCommerceSubscriptionRevokeRequest(
        requestInfo: info, refundReason: .legal, refundType: .full,
        refundRiskingPreference: true),
      """
      {"refundReason":"LEGAL","refundRiskingPreference":true,"refundType":"FULL",\(infoText)}
      """),
    WrittenBody(
      AdvancedCommerceRequestRefundRequest(
        requestInfo: info,
        items: [
          AdvancedCommerceRequestRefundItem(
            sku: "s", refundReason: .other, refundType: .custom, revoke: true)
        ], refundRiskingPreference: false),
      """
      {"items":[{"SKU":"s","refundAmount":5000,"refundReason":"OTHER","refundType":"CUSTOM",\
      "revoke":true}],"refundRiskingPreference":false,\(infoText)}
      """
    ) { $0.items[0].refundAmount = 5000 },
    WrittenBody(
      ExternalPurchaseReportTests.once,
      """
      {"externalPurchaseId":"token","lineItems":[{"amountTaxExclusive":8000,\
      "amountTaxInclusive":10000,"creationDate":1706047472367,"eventType":"BUY",\
      "lineItemId":"aaaaaaaa-aaaa-4aaa-aaaa-aaaaaaaaaaaa","netAmountTaxExclusive":8000,\
      "pricingCurrency":"EUR","productIdentifier":"p","productType":"ONE_TIME_BUY",\
      "quantity":1,"reportingCurrency":"EUR","taxAmount":2000,"taxCountry":"DE"}],\
      "requestIdentifier":\(idText),"status":"LINE_ITEM"}
      """),
  ]

  @Test("have exactly these bytes", arguments: all)
  func bytes(_ body: WrittenBody) throws {
    #expect(String(decoding: try body.bytes(), as: UTF8.self) == body.expected)
  }
}
