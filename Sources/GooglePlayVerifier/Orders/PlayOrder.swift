public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An order of the Play store: one payment, with everything that was bought by it.
///
/// A renewal is an order of its own. Members that this version doesn't know stay in ``json``. A member of the
/// wrong type is refused, a missing one is nil. Source: Google Play Developer API, `Order`.
public struct PlayOrder: GoogleModel {
  public let json: JSONValue
  public let orderID: String
  /// The purchase token, which renewals share.
  public let purchaseToken: String?
  public let state: State?
  public let createTime: Date?
  public let lastEventTime: Date?
  public let lineItems: [LineItem]
  /// The amount that the user paid, with tax and after discounts.
  public let total: PlayMoney?
  /// The tax in ``total``.
  public let tax: PlayMoney?
  /// The developer's share, after refunds, tax and fees, in the user's currency.
  public let developerRevenueInBuyerCurrency: PlayMoney?
  public let buyerAddress: BuyerAddress?
  public let orderDetails: OrderDetails?
  public let orderHistory: OrderHistory?
  /// The Play Points that the user spent.
  public let pointsDetails: PointsDetails?
  public let salesChannel: SalesChannel?

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`; only the order's ID is required.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    orderID = try members.requiredText("orderId")
    purchaseToken = try members.text("purchaseToken")
    state = try members.value("state")
    createTime = try members.time("createTime")
    lastEventTime = try members.time("lastEventTime")
    lineItems = try members.models("lineItems")
    total = try members.model("total")
    tax = try members.model("tax")
    developerRevenueInBuyerCurrency = try members.model("developerRevenueInBuyerCurrency")
    buyerAddress = try members.model("buyerAddress")
    orderDetails = try members.model("orderDetails")
    orderHistory = try members.model("orderHistory")
    pointsDetails = try members.model("pointsDetails")
    salesChannel = try members.value("salesChannel")
    self.json = json
  }

  /// The state of an order.
  public struct State: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "STATE_UNSPECIFIED")
    public static let pending = Self(rawValue: "PENDING")
    public static let processed = Self(rawValue: "PROCESSED")
    /// The order was canceled before it was paid.
    public static let canceled = Self(rawValue: "CANCELED")
    public static let pendingRefund = Self(rawValue: "PENDING_REFUND")
    public static let partiallyRefunded = Self(rawValue: "PARTIALLY_REFUNDED")
    /// The whole amount was refunded.
    public static let refunded = Self(rawValue: "REFUNDED")

    public static let allCases: [Self] = [
      unspecified, pending, processed, canceled, pendingRefund, partiallyRefunded, refunded,
    ]
  }

  /// The place where an order began.
  public struct SalesChannel: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "SALES_CHANNEL_UNSPECIFIED")
    public static let inApp = Self(rawValue: "IN_APP")
    public static let pcEmulator = Self(rawValue: "PC_EMULATOR")
    public static let nativePC = Self(rawValue: "NATIVE_PC")
    public static let playStore = Self(rawValue: "PLAY_STORE")
    public static let outsidePlayStore = Self(rawValue: "OUTSIDE_PLAY_STORE")

    public static let allCases: [Self] = [
      unspecified, inApp, pcEmulator, nativePC, playStore, outsidePlayStore,
    ]
  }
}

extension PlayOrder {
  /// A user's address for taxes.
  ///
  /// Where Google is the seller, only the country is there. Source: Google Play Developer API,
  /// `BuyerAddress`.
  public struct BuyerAddress: GoogleModel {
    public let json: JSONValue
    /// The country (ISO 3166-1, two letters).
    public let buyerCountry: String?
    public let buyerState: String?
    public let buyerPostcode: String?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      buyerCountry = try members.text("buyerCountry")
      buyerState = try members.text("buyerState")
      buyerPostcode = try members.text("buyerPostcode")
      self.json = json
    }
  }

  /// The circumstances of an order when it was made.
  ///
  /// Source: Google Play Developer API, `OrderDetails`.
  public struct OrderDetails: GoogleModel {
    public let json: JSONValue
    /// Whether the listed price included tax; Google leaves `false` out.
    public let taxInclusive: Bool

    public init(json: JSONValue) throws(FieldTypeFailure) {
      taxInclusive = try MemberReader(json).flag("taxInclusive") ?? false
      self.json = json
    }
  }

  /// The Play Points of an order.
  ///
  /// Source: Google Play Developer API, `PointsDetails`.
  public struct PointsDetails: GoogleModel {
    public let json: JSONValue
    public let pointsOfferID: String?
    public let pointsSpent: Int?
    /// The share of the price that the points replace, in millionths.
    public let pointsDiscountRateMicros: Int?
    /// The worth of a coupon that was paid with points.
    public let pointsCouponValue: PlayMoney?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      pointsOfferID = try members.text("pointsOfferId")
      pointsSpent = try members.int64("pointsSpent")
      pointsDiscountRateMicros = try members.int64("pointsDiscountRateMicros")
      pointsCouponValue = try members.model("pointsCouponValue")
      self.json = json
    }
  }
}

/// The orders that a call asked for.
///
/// Source: Google Play Developer API, `BatchGetOrdersResponse`.
package struct BatchGetOrdersResponse: GoogleModel {
  package let json: JSONValue
  package let orders: [PlayOrder]

  package init(json: JSONValue) throws(FieldTypeFailure) {
    orders = try MemberReader(json).models("orders")
    self.json = json
  }
}
