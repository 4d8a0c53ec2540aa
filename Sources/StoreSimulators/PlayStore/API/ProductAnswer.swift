internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A purchase of a one-time product as Google answers with it.
///
/// Source: Google Play Developer API v3, purchases.productsv2 and purchases.products.
struct ProductAnswer {
  let product: SimulatedPlayProduct
  let fractionDigits: Int

  /// The purchase as a ProductPurchaseV2.
  var members: [String: JSONValue] {
    var offer: [String: JSONValue] = [
      "purchaseOptionId": .string("buy"), "quantity": .integer(product.quantity),
      "consumptionState": .string(
        product.isConsumed
          ? "CONSUMPTION_STATE_CONSUMED" : "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"),
    ]
    offer["offerId"] = product.terms.offer.map(JSONValue.string)
    if product.refundableQuantity > 0 {
      offer["refundableQuantity"] = .integer(product.refundableQuantity)
    }
    var members: [String: JSONValue] = [
      "kind": .string("androidpublisher#productPurchaseV2"),
      "regionCode": .string(product.terms.regionCode),
      "productLineItem": .array([
        .object([
          "productId": .string(product.productID), "productOfferDetails": .object(offer),
        ])
      ]),
      "purchaseStateContext": .object(["purchaseState": .string(product.stateName)]),
      "orderId": .string(product.orders.latest.id),
      "acknowledgementState": .string(
        product.isAcknowledged
          ? "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED" : "ACKNOWLEDGEMENT_STATE_PENDING"),
    ]
    if product.phase != .pending {
      members["purchaseCompletionTime"] = .string(
        RFC3339Time(product.completed, fractionDigits: fractionDigits).text)
    }
    addIdentifiers(to: &members)
    if product.terms.buyer == .licenseTester {
      members["testPurchaseContext"] = .object(["fopType": .string("TEST")])
    }
    return members
  }

  /// The purchase in Google's older form, a ProductPurchase.
  var olderMembers: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "kind": .string("androidpublisher#productPurchase"),
      "purchaseTimeMillis": .string(String(product.completed.wholeMilliseconds)),
      "purchaseState": .integer(product.stateNumber),
      "consumptionState": .integer(product.isConsumed ? 1 : 0),
      "developerPayload": .string(""), "orderId": .string(product.orders.latest.id),
      "acknowledgementState": .integer(product.isAcknowledged ? 1 : 0),
      "regionCode": .string(product.terms.regionCode),
    ]
    // One item is not worth a member.
    if product.quantity > 1 { members["quantity"] = .integer(product.quantity) }
    if product.refundableQuantity > 0 {
      members["refundableQuantity"] = .integer(product.refundableQuantity)
    }
    if product.terms.buyer == .licenseTester { members["purchaseType"] = .integer(0) }
    addIdentifiers(to: &members)
    return members
  }

  private func addIdentifiers(to members: inout [String: JSONValue]) {
    members["obfuscatedExternalAccountId"] =
      product.terms.obfuscatedAccountID.map(JSONValue.string)
    members["obfuscatedExternalProfileId"] =
      product.terms.obfuscatedProfileID.map(JSONValue.string)
  }
}
