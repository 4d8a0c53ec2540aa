internal import OrderPolicy
internal import ReceiptModels
internal import JSONValues

// The bodies of answers about orders, with members in the order of the contract (entitlement rules, section
// 12). No member is left out.

extension SubscriptionLevels {
  var json: OrderedJSON { .array(all.map { .object($0.members) }) }
}

extension UserSubscription {
  var json: OrderedJSON {
    let unused: [OrderedJSON.Member] =
      isOrderUnacknowledged ? [.init("acknowledged", .value(.boolean(false)))] : []
    return .object(
      level.members + [
        .init("vendor", vendor.rawValue), .init("environment", environment.rawValue),
        .init("expiration", .date(expiration)),
      ] + unused)
  }
}

extension SubscriptionLevel {
  fileprivate var members: [OrderedJSON.Member] {
    [
      .init("name", name), .init("description", description),
      .init("portfolioLimit", quota), .init("fee", .number(digits: fee.description)),
      .init("appleProductId", .text(appleProductID)),
      .init("googleProductId", .text(googleProductID)),
    ]
  }
}
