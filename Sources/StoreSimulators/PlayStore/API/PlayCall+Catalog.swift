internal import HTTPMessages
internal import JSONValues

/// The calls that read the catalog.
///
/// Prices are those of one country; there are no offers. Source: Google Play Developer API v3, monetization.subscriptions
/// and monetization.onetimeproducts.
extension PlayCall {
  /// The number of products that a request gets without asking, and the greatest number.
  private static let (pageSize, largestPage) = (50, 1000)

  func subscriptionProduct() throws(GoogleAPIError) -> HTTPResponseMessage {
    try product(of: subscriptions)
  }

  func subscriptionProducts() throws(GoogleAPIError) -> HTTPResponseMessage {
    try page(of: subscriptions, "subscriptions")
  }

  func oneTimeProduct() throws(GoogleAPIError) -> HTTPResponseMessage {
    try product(of: oneTimeItems)
  }

  func oneTimeProducts() throws(GoogleAPIError) -> HTTPResponseMessage {
    try page(of: oneTimeItems, "oneTimeProducts")
  }

  private var subscriptions: [PlayProduct] {
    isOtherPackage ? [] : catalog.filter { $0.kind != .oneTime }
  }

  private var oneTimeItems: [PlayProduct] {
    isOtherPackage ? [] : catalog.filter { $0.kind == .oneTime }
  }

  private func product(of products: [PlayProduct]) throws(GoogleAPIError) -> HTTPResponseMessage {
    guard let product = products.first(where: { $0.id == route.id }) else {
      throw .unknownProduct
    }
    return .google(members(of: product))
  }

  private func page(
    of products: [PlayProduct], _ name: String
  ) throws(GoogleAPIError) -> HTTPResponseMessage {
    let size = try number("pageSize", in: 0...Int.max) ?? 0
    let start = try target.value("pageToken").map { (token) throws(GoogleAPIError) in
      guard let start = Int(token), products.indices.contains(start) else {
        throw .invalid("pageToken")
      }
      return start
    }
    let rest = products.dropFirst(start ?? 0)
    let page = rest.prefix(size == 0 ? Self.pageSize : min(size, Self.largestPage))
    var answer: [String: JSONValue] = [:]
    // As everywhere, Google leaves an empty list out.
    if !page.isEmpty { answer[name] = .array(page.map { .object(members(of: $0)) }) }
    if page.endIndex < products.endIndex {
      answer["nextPageToken"] = .string(String(page.endIndex))
    }
    return .google(answer)
  }

  private func members(of product: PlayProduct) -> [String: JSONValue] {
    let text: [String: JSONValue] = [
      "languageCode": .string("en-US"), "title": .string(product.id),
      "description": .string(product.id),
    ]
    var members: [String: JSONValue] = [
      "packageName": .string(route.packageName), "productId": .string(product.id),
      "listings": .array([.object(text)]),
    ]
    switch product.kind {
    case .subscription(let plans):
      members["basePlans"] = .array(plans.map(\.catalogMembers))
    case .oneTime:
      members["purchaseOptions"] = .array([.object(product.purchaseOption)])
      members["regionsVersion"] = .object(["version": .string("2025/03")])
    }
    return members
  }
}

extension PlayProduct {
  /// The only way to get a one-time product.
  fileprivate var purchaseOption: [String: JSONValue] {
    [
      "purchaseOptionId": .string("buy"), "state": .string("ACTIVE"),
      "buyOption": .object([
        "legacyCompatible": .boolean(true), "multiQuantityEnabled": .boolean(true),
      ]),
      "regionalPricingAndAvailabilityConfigs": .array([
        .object([
          "regionCode": .string("US"), "price": price.money, "availability": .string("AVAILABLE"),
        ])
      ]),
    ]
  }
}

extension PlayBasePlan {
  fileprivate var catalogMembers: JSONValue {
    var members: [String: JSONValue] = [
      "basePlanId": .string(id), "state": .string(isActive ? "ACTIVE" : "INACTIVE"),
      "regionalConfigs": .array([
        .object([
          "regionCode": .string("US"), "price": price.money,
          "newSubscriberAvailability": .boolean(true),
        ])
      ]),
    ]
    let length = JSONValue.string(billingPeriod)
    switch kind {
    case .autoRenewing where installments != nil:
      members["installmentsBasePlanType"] = .object([
        "billingPeriodDuration": length, "gracePeriodDuration": .string("P7D"),
        "accountHoldDuration": .string("P30D"),
        "resubscribeState": .string("RESUBSCRIBE_STATE_ACTIVE"),
        "prorationMode": .string("SUBSCRIPTION_PRORATION_MODE_CHARGE_ON_NEXT_BILLING_DATE"),
        "committedPaymentsCount": .integer(installments?.committed ?? 1),
        "renewalType": .string(
          installments?.subsequent == nil
            ? "RENEWAL_TYPE_RENEWS_WITHOUT_COMMITMENT" : "RENEWAL_TYPE_RENEWS_WITH_COMMITMENT"),
      ])
    case .autoRenewing:
      members["autoRenewingBasePlanType"] = .object([
        "billingPeriodDuration": length, "gracePeriodDuration": .string("P7D"),
        "accountHoldDuration": .string("P30D"),
        "resubscribeState": .string("RESUBSCRIBE_STATE_ACTIVE"),
        "prorationMode": .string("SUBSCRIPTION_PRORATION_MODE_CHARGE_ON_NEXT_BILLING_DATE"),
      ])
    case .prepaid:
      members["prepaidBasePlanType"] = .object([
        "billingPeriodDuration": length, "timeExtension": .string("TIME_EXTENSION_ACTIVE"),
      ])
    }
    return .object(members)
  }

  /// The period in the words of the Play Console, where a month has thirty days.
  private var billingPeriod: String {
    let days = period.components.seconds / 86_400
    return switch days {
    case 360...366: "P1Y"
    case let days where days % 30 == 0: "P\(days / 30)M"
    case let days where days % 7 == 0: "P\(days / 7)W"
    default: "P\(days)D"
    }
  }
}
