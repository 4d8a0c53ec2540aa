internal import GooglePlayVerifier
internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An order as Google answers with it, an Order.
///
/// Prices have no tax. Source: Google Play Developer API v3, orders.
struct OrderAnswer {
  let token: String
  let order: PlayOrders.Order
  let regionCode: String
  /// Whether the payment was given up.
  let isCanceled: Bool
  let fractionDigits: Int

  /// The developer's share of a price, after Google's fee.
  private static let share = 0.85

  var members: [String: JSONValue] {
    [
      "orderId": .string(order.id), "purchaseToken": .string(token), "state": .string(state),
      "createTime": time(order.date), "lastEventTime": time(lastEvent),
      "lineItems": .array([lineItem]), "total": order.total.money,
      "tax": order.total.times(0).money,
      "developerRevenueInBuyerCurrency": order.kept.share(Self.share).money,
      "buyerAddress": .object(["buyerCountry": .string(regionCode)]),
      "orderDetails": .object(["taxInclusive": .boolean(true)]),
      "orderHistory": .object(history), "salesChannel": .string("IN_APP"),
    ]
  }

  private var state: String {
    if order.paid == nil { return isCanceled ? "CANCELED" : "PENDING" }
    if order.refunded != nil { return "REFUNDED" }
    return order.partialRefunds.isEmpty ? "PROCESSED" : "PARTIALLY_REFUNDED"
  }

  private var lastEvent: Date {
    let events = [order.date, order.paid, order.refunded, order.partialRefunds.last?.date]
    return events.compactMap(\.self).max() ?? order.date
  }

  private func time(_ date: Date) -> JSONValue {
    .string(RFC3339Time(date, fractionDigits: fractionDigits).text)
  }

  // MARK: Items

  private var lineItem: JSONValue {
    let item = order.item
    var members: [String: JSONValue] = [
      "productId": .string(item.productID), "productTitle": .string(item.productID),
      "listingPrice": item.price.money, "total": order.total.money,
      "tax": order.total.times(0).money,
    ]
    if let basePlan = item.basePlan {
      members["subscriptionDetails"] = .object(subscriptionDetails(item, basePlan))
    } else {
      var details: [String: JSONValue] = [
        "quantity": .integer(item.quantity), "purchaseOptionId": .string(item.option.id),
      ]
      switch item.option {
      case .buy: break
      case .rent: details["rentalDetails"] = .object([:])
      case .preorder: details["preorderDetails"] = .object([:])
      }
      details["offerId"] = item.offer.map(JSONValue.string)
      members["oneTimePurchaseDetails"] = .object(details)
    }
    return .object(members)
  }

  private func subscriptionDetails(
    _ item: PlayOrders.Item, _ basePlan: String
  ) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "basePlanId": .string(basePlan), "offerPhase": .string("BASE"),
      "offerPhaseDetails": .object(["baseDetails": .object([:])]),
    ]
    members["offerId"] = item.offer.map(JSONValue.string)
    members["servicePeriodStartTime"] = (item.period?.lowerBound).map(time)
    members["servicePeriodEndTime"] = (item.period?.upperBound).map(time)
    return members
  }

  // MARK: Events

  private var history: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members["processedEvent"] = order.paid.map { .object(["eventTime": time($0)]) }
    if order.paid == nil, isCanceled {
      members["cancellationEvent"] = .object(["eventTime": time(order.date)])
    }
    if !order.partialRefunds.isEmpty {
      members["partialRefundEvents"] = .array(
        order.partialRefunds.map { refund in
          .object([
            "createTime": time(refund.date), "processTime": time(refund.date),
            "state": .string("PROCESSED_SUCCESSFULLY"), "refundDetails": details(refund.amount),
          ])
        })
    }
    members["refundEvent"] = order.refunded.map { date in
      .object([
        "eventTime": time(date), "refundDetails": details(order.total),
        "refundReason": .string(order.isChargedBack ? "CHARGEBACK" : "OTHER"),
      ])
    }
    return members
  }

  private func details(_ amount: PlayPrice) -> JSONValue {
    .object(["total": amount.money, "tax": amount.times(0).money])
  }
}

extension PlayPrice {
  /// The amount as Google writes it, without what is zero.
  var money: JSONValue {
    var members: [String: JSONValue] = ["currencyCode": .string(currencyCode)]
    // A whole number of 64 bits is a text in the JSON of Google's messages.
    if units != 0 { members["units"] = .string(String(units)) }
    if nanos != 0 { members["nanos"] = .integer(nanos) }
    return .object(members)
  }
}
