import Foundation
import JSONValues
import ReceiptModels
import Testing

/// The initializers of models with required fields write each value under its own name.
@Suite("Making models")
struct MemberwiseTests {
  static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let identifierText = JSONValue.string("01020304-0506-0708-090a-0b0c0d0e0f10")
  static let info = AdvancedCommerceRequestInfo(requestReferenceID: identifier)
  static let infoJSON = JSONValue.object(["requestReferenceId": identifierText])

  static let all: [MadeModel] = [
    MadeModel(SignedPayloadBody(signedPayload: "a.b.c"), ["signedPayload": .string("a.b.c")]),
    MadeModel(
      RealtimeRequest(
        originalTransactionID: "1", appAppleID: 2, productID: "3", userLocale: "4",
        requestIdentifier: identifier, environment: .sandbox,
        signedDate: Date(timeIntervalSince1970: 5)),
      [
        "originalTransactionId": .string("1"), "appAppleId": .integer(2),
        "productId": .string("3"), "userLocale": .string("4"),
        "requestIdentifier": identifierText, "environment": .string("Sandbox"),
        "signedDate": .integer(5000),
      ]),
    MadeModel(
      PromotionalOfferSignatureV1(
        encodedSignature: "1", productID: "2", nonce: identifier, timestamp: 3, keyID: "4",
        offerIdentifier: "5"),
      [
        "encodedSignature": .string("1"), "productId": .string("2"), "nonce": identifierText,
        "timestamp": .integer(3), "keyId": .string("4"), "offerIdentifier": .string("5"),
      ]),
    MadeModel(
      AdvancedCommerceDescriptors(description: "1", displayName: "2"),
      ["description": .string("1"), "displayName": .string("2")]),
    MadeModel(
      AdvancedCommerceOffer(period: .oneWeek, periodCount: 2, price: 3, reason: .winBack),
      [
        "period": .string("P1W"), "periodCount": .integer(2), "price": .integer(3),
        "reason": .string("WIN_BACK"),
      ]),
    MadeModel(info, ["requestReferenceId": identifierText]),
    MadeModel(
      AdvancedCommerceOneTimeChargeItem(
        sku: "1", displayName: "2", description: "3", price: 4), item),
    MadeModel(
      AdvancedCommerceSubscriptionCreateItem(
        sku: "1", displayName: "2", description: "3", price: 4), item),
    MadeModel(
      AdvancedCommerceSubscriptionAddItem(
        sku: "1", displayName: "2", description: "3", price: 4), item),
    MadeModel(
      AdvancedCommerceSubscriptionChangeItem(
        currentSKU: "0", sku: "1", displayName: "2", description: "3", price: 4,
        effective: .immediately, reason: .downgrade),
      item.merging(
        [
          "currentSKU": .string("0"), "effective": .string("IMMEDIATELY"),
          "reason": .string("DOWNGRADE"),
        ], uniquingKeysWith: { $1 })),
    MadeModel(AdvancedCommerceItemReference(sku: "1"), ["SKU": .string("1")]),
    MadeModel(
      AdvancedCommerceDescriptorsChange(effective: .nextBillCycle),
      ["effective": .string("NEXT_BILL_CYCLE")]),
    MadeModel(
      AdvancedCommercePeriodChange(period: .oneYear, effective: .immediately),
      ["period": .string("P1Y"), "effective": .string("IMMEDIATELY")]),
    MadeModel(
      AdvancedCommerceOneTimeChargeCreateRequest(
        requestInfo: info, currency: "EUR",
        item: AdvancedCommerceOneTimeChargeItem(
          sku: "1", displayName: "2", description: "3", price: 4),
        taxCode: "5"),
      [
        "operation": .string("CREATE_ONE_TIME_CHARGE"), "version": .string("1"),
        "requestInfo": infoJSON, "currency": .string("EUR"), "item": .object(item),
        "taxCode": .string("5"),
      ]),
    MadeModel(
      AdvancedCommerceSubscriptionCreateRequest(
        requestInfo: info, currency: "EUR",
        descriptors: AdvancedCommerceDescriptors(description: "1", displayName: "2"),
        items: [
          AdvancedCommerceSubscriptionCreateItem(
            sku: "1", displayName: "2", description: "3", price: 4)
        ], period: .sixMonths, taxCode: "5"),
      [
        "operation": .string("CREATE_SUBSCRIPTION"), "version": .string("1"),
        "requestInfo": infoJSON, "currency": .string("EUR"),
        "descriptors": .object(["description": .string("1"), "displayName": .string("2")]),
        "items": .array([.object(item)]), "period": .string("P6M"), "taxCode": .string("5"),
      ]),
    MadeModel(
      AdvancedCommerceSubscriptionModifyInAppRequest(
        requestInfo: info, transactionID: "1", retainBillingCycle: true),
      [
        "operation": .string("MODIFY_SUBSCRIPTION"), "version": .string("1"),
        "requestInfo": infoJSON, "transactionId": .string("1"),
        "retainBillingCycle": .boolean(true),
      ]),
    MadeModel(
      AdvancedCommerceSubscriptionReactivateInAppRequest(requestInfo: info, transactionID: "1"),
      [
        "operation": .string("REACTIVATE_SUBSCRIPTION"), "version": .string("1"),
        "requestInfo": infoJSON, "transactionId": .string("1"),
      ]),
  ]

  private static let item: [String: JSONValue] = [
    "SKU": .string("1"), "displayName": .string("2"), "description": .string("3"),
    "price": .integer(4),
  ]

  @Test("a model made by hand has exactly these members", arguments: all)
  func members(_ made: MadeModel) {
    #expect(made.json == made.expected)
  }
}

/// A model created by its public initializer.
struct MadeModel: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var json: JSONValue
  var expected: JSONValue

  init(_ model: some JSONModel, _ expected: [String: JSONValue]) {
    testDescription = "\(type(of: model))"
    json = model.json
    self.expected = .object(expected)
  }
}
