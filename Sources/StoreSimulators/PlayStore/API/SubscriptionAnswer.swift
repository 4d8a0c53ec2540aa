internal import GooglePlayVerifier
internal import JSONValues
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A purchase of a subscription as Google answers with it, a SubscriptionPurchaseV2.
///
/// As in all of Google's answers, a member that is false, zero or empty is left out.
///
/// Source: Google Play Developer API v3, purchases.subscriptionsv2.
struct SubscriptionAnswer {
  let subscription: SimulatedPlaySubscription
  let fractionDigits: Int

  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "kind": .string("androidpublisher#subscriptionPurchaseV2"),
      "regionCode": .string(subscription.terms.regionCode),
      "subscriptionState": .string(subscription.stateName),
      "acknowledgementState": .string(
        subscription.isAcknowledged
          ? "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED" : "ACKNOWLEDGEMENT_STATE_PENDING"),
      "lineItems": .array(subscription.items.map(json)),
      "etag": .string(etag),
    ]
    if isPaid { members["startTime"] = time(subscription.start) }
    members["linkedPurchaseToken"] = subscription.linkedToken.map(JSONValue.string)
    members["externalAccountIdentifiers"] = identifiers(
      subscription.accountID, subscription.profileID)
    members["canceledStateContext"] = subscription.cancellation.map(json)
    members["pausedStateContext"] = pausedContext
    members["outOfAppPurchaseContext"] = subscription.resubscribed.map(json)
    if subscription.terms.buyer == .licenseTester { members["testPurchase"] = .object([:]) }
    return members
  }

  private var isPaid: Bool {
    subscription.phase != .pending && subscription.phase != .pendingCanceled
  }

  /// A text that is another one after each change.
  var etag: String {
    let digest = try? SHA256.digest(of: Array("\(subscription.token) \(subscription.version)".utf8))
    return Base64.encode(digest?.prefix(15) ?? [], .url)
  }

  private func time(_ date: Date) -> JSONValue {
    .string(RFC3339Time(date, fractionDigits: fractionDigits).text)
  }

  private func identifiers(_ account: String?, _ profile: String?) -> JSONValue? {
    var members: [String: JSONValue] = [:]
    members["obfuscatedExternalAccountId"] = account.map(JSONValue.string)
    members["obfuscatedExternalProfileId"] = profile.map(JSONValue.string)
    return members.isEmpty ? nil : .object(members)
  }

  // MARK: Contexts

  private func json(_ cancellation: SimulatedPlaySubscription.Cancellation) -> JSONValue {
    switch cancellation.cause {
    case .user:
      .object(["userInitiatedCancellation": .object(["cancelTime": time(cancellation.date)])])
    case .system: .object(["systemInitiatedCancellation": .object([:])])
    case .developer: .object(["developerInitiatedCancellation": .object([:])])
    case .replacement: .object(["replacementCancellation": .object([:])])
    }
  }

  private var pausedContext: JSONValue? {
    guard case .paused(let end) = subscription.phase else { return nil }
    return .object(["autoResumeTime": time(end)])
  }

  private func json(_ resubscribed: SimulatedPlaySubscription.Resubscribed) -> JSONValue {
    var members: [String: JSONValue] = ["expiredPurchaseToken": .string(resubscribed.token)]
    members["expiredExternalAccountIdentifiers"] = identifiers(
      resubscribed.accountID, resubscribed.profileID)
    return .object(members)
  }

  // MARK: Items

  private func json(_ item: SimulatedPlaySubscription.Item) -> JSONValue {
    var offer: [String: JSONValue] = ["basePlanId": .string(item.plan.id)]
    offer["offerId"] = item.offer.map(JSONValue.string)
    var members: [String: JSONValue] = [
      "productId": .string(item.productID), "offerDetails": .object(offer),
    ]
    members["expiryTime"] = item.expiry.map(time)
    members["latestSuccessfulOrderId"] = item.orderID.map(JSONValue.string)
    switch item.plan.kind {
    case .autoRenewing: members["autoRenewingPlan"] = plan(item)
    case .prepaid:
      var plan: [String: JSONValue] = [:]
      if subscription.isOwned { plan["allowExtendAfterTime"] = time(subscription.start) }
      members["prepaidPlan"] = .object(plan)
    }
    members["offerPhase"] = .object([item.phase.rawValue: .object([:])])
    members["deferredItemReplacement"] = item.deferredReplacement.map {
      .object(["productId": .string($0)])
    }
    members["itemReplacement"] = item.replaced.map(json)
    return .object(members)
  }

  private func plan(_ item: SimulatedPlaySubscription.Item) -> JSONValue {
    var members: [String: JSONValue] = ["recurringPrice": item.price.money]
    // The product that ends is not charged again; the one after it is.
    if subscription.renews, item.deferredReplacement == nil, !isPast(item) {
      members["autoRenewEnabled"] = .boolean(true)
    }
    members["installmentDetails"] = installments(item)
    members["priceStepUpConsentDetails"] = item.priceStep.map { step in
      var details: [String: JSONValue] = [
        "newPrice": step.price.money, "state": .string(step.state.rawValue),
      ]
      if step.state == .pending { details["consentDeadlineTime"] = item.expiry.map(time) }
      return .object(details)
    }
    members["priceChangeDetails"] = item.priceChange.map { change in
      .object([
        "newPrice": change.price.money, "priceChangeMode": .string(change.mode.rawValue),
        "priceChangeState": .string(change.state.rawValue),
        "expectedNewPriceChargeTime": time(change.chargeDate),
      ])
    }
    return .object(members)
  }

  private func installments(_ item: SimulatedPlaySubscription.Item) -> JSONValue? {
    guard let terms = item.plan.installments, let left = item.paymentsLeft else { return nil }
    var members: [String: JSONValue] = [
      "initialCommittedPaymentsCount": .integer(terms.committed)
    ]
    members["subsequentCommittedPaymentsCount"] = terms.subsequent.map(JSONValue.integer)
    if left > 0 { members["remainingCommittedPaymentsCount"] = .integer(left) }
    if subscription.isCancellationPending { members["pendingCancellation"] = .object([:]) }
    return .object(members)
  }

  /// Whether an item was replaced by the first one.
  private func isPast(_ item: SimulatedPlaySubscription.Item) -> Bool {
    guard let expiry = item.expiry, let current = subscription.expiry else { return false }
    return expiry < current
  }

  private func json(_ replaced: SimulatedPlaySubscription.Replaced) -> JSONValue {
    var members: [String: JSONValue] = [
      "productId": .string(replaced.productID), "basePlanId": .string(replaced.basePlan),
      "replacementMode": .string(replaced.mode.rawValue),
    ]
    members["offerId"] = replaced.offer.map(JSONValue.string)
    return .object(members)
  }
}

/// A purchase of a one-time product as Google answers with it.
///
/// Source: Google Play Developer API v3, purchases.productsv2 and purchases.products.
struct ProductAnswer {
  let product: SimulatedPlayProduct
  let fractionDigits: Int

  /// The purchase as a ProductPurchaseV2.
  var members: [String: JSONValue] {
    var offer: [String: JSONValue] = [
      "purchaseOptionId": .string(product.terms.purchaseOption.id),
      "quantity": .integer(product.quantity),
      "consumptionState": .string(
        product.isConsumed
          ? "CONSUMPTION_STATE_CONSUMED" : "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"),
    ]
    offer["offerId"] = product.terms.offer.map(JSONValue.string)
    switch product.terms.purchaseOption {
    case .buy: break
    case .rent: offer["rentOfferDetails"] = .object([:])
    case .preorder(let release):
      offer["preorderOfferDetails"] = .object([
        "preorderReleaseTime": .string(RFC3339Time(release, fractionDigits: fractionDigits).text)
      ])
    }
    if product.refundableQuantity > 0 {
      offer["refundableQuantity"] = .integer(product.refundableQuantity)
    }
    var members: [String: JSONValue] = [
      "kind": .string("androidpublisher#productPurchaseV2"),
      "regionCode": .string(product.terms.regionCode),
      "productLineItem": .array([
        .object(["productId": .string(product.productID), "productOfferDetails": .object(offer)])
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

extension Date {
  /// The whole milliseconds since 1970, as Google writes some times; the rest is cut off, as in
  /// ``RFC3339Time``.
  var wholeMilliseconds: Int { Int((timeIntervalSince1970 * 1e6).rounded()) / 1000 }
}
