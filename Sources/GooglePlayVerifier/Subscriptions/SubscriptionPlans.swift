public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A plan that renews.
///
/// Source: Google Play Developer API, `AutoRenewingPlan`.
public struct AutoRenewingPlan: GoogleModel {
  public let json: JSONValue
  /// Whether the plan renews at its expiry; Google leaves `false` out.
  public let autoRenewEnabled: Bool
  /// The price of a renewal, without offers.
  public let recurringPrice: PlayMoney?
  public let priceChangeDetails: PriceChangeDetails?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    autoRenewEnabled = try members.flag("autoRenewEnabled") ?? false
    recurringPrice = try members.model("recurringPrice")
    priceChangeDetails = try members.model("priceChangeDetails")
    self.json = json
  }
}

/// A plan that the user pays in advance and tops up.
///
/// Source: Google Play Developer API, `PrepaidPlan`.
public struct PrepaidPlan: GoogleModel {
  public let json: JSONValue
  /// The time from which the user may top up; nil if that is possible now, or never.
  public let allowExtendAfterTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    allowExtendAfterTime = try MemberReader(json).time("allowExtendAfterTime")
    self.json = json
  }
}

/// A change of a price.
///
/// Source: Google Play Developer API, `SubscriptionItemPriceChangeDetails`.
public struct PriceChangeDetails: GoogleModel {
  public let json: JSONValue
  public let newPrice: PlayMoney?
  /// Google's name of the mode, such as `OPT_OUT_PRICE_INCREASE`.
  public let priceChangeMode: String?
  /// Google's name of the state, such as `OUTSTANDING`.
  public let priceChangeState: String?
  /// The time of the renewal that has the new price.
  public let expectedNewPriceChargeTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    newPrice = try members.model("newPrice")
    priceChangeMode = try members.text("priceChangeMode")
    priceChangeState = try members.text("priceChangeState")
    expectedNewPriceChargeTime = try members.time("expectedNewPriceChargeTime")
    self.json = json
  }
}

/// An amount of money, never a binary floating point value.
///
/// Source: Google APIs, `google.type.Money`.
public struct PlayMoney: GoogleModel {
  public let json: JSONValue
  /// The currency (ISO 4217).
  public let currencyCode: String?
  /// The whole units of the currency.
  public let units: Int
  /// The billionths of a unit, of the sign of the units.
  public let nanos: Int

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    currencyCode = try members.text("currencyCode")
    units = try members.int64("units") ?? 0
    nanos = try members.int64("nanos") ?? 0
    self.json = json
  }
}
