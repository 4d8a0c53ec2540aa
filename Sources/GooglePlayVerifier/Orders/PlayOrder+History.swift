public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PlayOrder {
  /// The events of an order.
  ///
  /// Source: Google Play Developer API, `OrderHistory`.
  public struct OrderHistory: GoogleModel {
    public let json: JSONValue
    /// The time of the payment.
    public let processedTime: Date?
    /// The time at which an order was canceled that nobody had paid.
    public let cancellationTime: Date?
    /// The refund of the whole amount.
    public let refundEvent: RefundEvent?
    public let partialRefundEvents: [PartialRefundEvent]

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      let processed: TimedEvent? = try members.model("processedEvent")
      processedTime = processed?.eventTime
      let cancellation: TimedEvent? = try members.model("cancellationEvent")
      cancellationTime = cancellation?.eventTime
      refundEvent = try members.model("refundEvent")
      partialRefundEvents = try members.models("partialRefundEvents")
      self.json = json
    }
  }

  /// The refund of the whole amount of an order.
  ///
  /// Source: Google Play Developer API, `RefundEvent`.
  public struct RefundEvent: GoogleModel {
    public let json: JSONValue
    public let eventTime: Date?
    public let refundReason: RefundReason?
    public let refundDetails: RefundDetails?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      eventTime = try members.time("eventTime")
      refundReason = try members.value("refundReason")
      refundDetails = try members.model("refundDetails")
      self.json = json
    }

    /// The reason for a refund.
    public struct RefundReason: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "REFUND_REASON_UNSPECIFIED")
      /// Any reason but a chargeback.
      public static let other = Self(rawValue: "OTHER")
      /// The user's bank took the money back.
      public static let chargeback = Self(rawValue: "CHARGEBACK")

      public static let allCases: [Self] = [unspecified, other, chargeback]
    }
  }

  /// The refund of a part of an order.
  ///
  /// Source: Google Play Developer API, `PartialRefundEvent`.
  public struct PartialRefundEvent: GoogleModel {
    public let json: JSONValue
    public let createTime: Date?
    public let processTime: Date?
    public let state: State?
    public let refundDetails: RefundDetails?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      createTime = try members.time("createTime")
      processTime = try members.time("processTime")
      state = try members.value("state")
      refundDetails = try members.model("refundDetails")
      self.json = json
    }

    /// The state of a partial refund.
    public struct State: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "STATE_UNSPECIFIED")
      public static let pending = Self(rawValue: "PENDING")
      public static let processedSuccessfully = Self(rawValue: "PROCESSED_SUCCESSFULLY")

      public static let allCases: [Self] = [unspecified, pending, processedSuccessfully]
    }
  }

  /// The amount of a refund.
  ///
  /// Source: Google Play Developer API, `RefundDetails`.
  public struct RefundDetails: GoogleModel {
    public let json: JSONValue
    /// The refunded amount, with tax.
    public let total: PlayMoney?
    /// The tax in ``total``.
    public let tax: PlayMoney?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      total = try members.model("total")
      tax = try members.model("tax")
      self.json = json
    }
  }
}

/// An event of which only the time is told.
private struct TimedEvent: GoogleModel {
  let json: JSONValue
  let eventTime: Date?

  init(json: JSONValue) throws(FieldTypeFailure) {
    eventTime = try MemberReader(json).time("eventTime")
    self.json = json
  }
}
