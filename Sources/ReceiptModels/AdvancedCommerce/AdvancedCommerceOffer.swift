public import JSONValues

/// An offer that lowers the price of an item for some time.
///
/// Source: Apple, `advancedCommerceOffer`.
public struct AdvancedCommerceOffer: FieldModel {
  /// The length of one period of the offer.
  public var period = AdvancedCommerceOfferPeriod(rawValue: "")
  /// How many periods the offer lasts; requests allow 1 to 12.
  public var periodCount: Int = 0
  /// The price of one period, in thousandths of the currency unit.
  public var price: Int = 0
  /// Why the offer is made.
  public var reason = AdvancedCommerceOfferReason(rawValue: "")

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// An offer.
  public init(
    period: AdvancedCommerceOfferPeriod, periodCount: Int, price: Int,
    reason: AdvancedCommerceOfferReason
  ) {
    self.period = period
    self.periodCount = periodCount
    self.price = price
    self.reason = reason
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("period", &period)
    try coder.required("periodCount", &periodCount)
    try coder.required("price", &price)
    try coder.required("reason", &reason)
  }
}
