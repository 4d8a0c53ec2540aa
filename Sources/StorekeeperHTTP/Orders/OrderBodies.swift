internal import JSONValues
public import OrderPolicy
internal import ReceiptModels

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

extension UserSubscription: Encodable {
  private enum CodingKeys: String, CodingKey {
    case vendor, environment, expiration, acknowledged
  }

  /// Encodes the subscription as the contract shows it: the members of its level, then its own; the expiration is
  /// RFC 3339 in UTC, in whole seconds rounded down, whatever dates the encoder writes otherwise.
  ///
  /// So the answer of a host's own login can have it as its member `subscription`:
  ///
  /// ```swift
  /// struct LoginResponse: Encodable {
  ///   var userID: String
  ///   var subscription: UserSubscription?
  /// }
  /// ```
  ///
  /// Source: entitlement rules, section 12.
  public func encode(to encoder: any Encoder) throws {
    try level.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(vendor.rawValue, forKey: .vendor)
    try members.encode(environment.rawValue, forKey: .environment)
    try members.encode(Moment(expiration).text(as: .rfc3339), forKey: .expiration)
    if isOrderUnacknowledged { try members.encode(false, forKey: .acknowledged) }
  }
}

extension SubscriptionLevel: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, description, fee
    case quota = "portfolioLimit"
    case appleProductID = "appleProductId"
    case googleProductID = "googleProductId"
  }

  /// Encodes the level as the contract shows it: no member is left out, and the fee is a number.
  ///
  /// Source: entitlement rules, section 12.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(name, forKey: .name)
    try members.encode(description, forKey: .description)
    try members.encode(quota, forKey: .quota)
    try members.encode(fee.value, forKey: .fee)
    try members.encode(appleProductID, forKey: .appleProductID)
    try members.encode(googleProductID, forKey: .googleProductID)
  }
}
