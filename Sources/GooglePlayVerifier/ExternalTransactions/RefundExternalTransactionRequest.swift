public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The refund of a payment outside of Google's billing, whole or in part.
///
/// Source: Google Play Developer API, `RefundExternalTransactionRequest`.
public struct RefundExternalTransactionRequest: CheckedPlayRequest {
  /// The time of the refund.
  public var refundTime: Date?
  /// Whether everything that is left is refunded.
  public var isFullRefund = false
  /// The part that is refunded; nil for everything.
  public var partialRefund: PartialRefund?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a refund of everything that is left.
  public init(fullAt refundTime: Date) {
    self.refundTime = refundTime
    isFullRefund = true
  }

  /// Creates a refund of a part.
  public init(_ partialRefund: PartialRefund, at refundTime: Date) {
    self.refundTime = refundTime
    self.partialRefund = partialRefund
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.time("refundTime", &refundTime)
    try coder.mark("fullRefund", &isFullRefund)
    try coder("partialRefund", &partialRefund)
  }

  /// Checks that there is a time, and that either everything or a part is refunded.
  public func validate() throws(InvalidCall) {
    try PlayRequestCheck.required(refundTime, .refundTime)
    switch (isFullRefund, partialRefund) {
    case (true, nil): break
    case (true, _?): throw .notAllowed(.fullRefund, with: .partialRefund)
    case (false, nil): throw .missing(.partialRefund)
    case (false, let part?):
      try PlayRequestCheck.text(part.refundID, .refundID)
      try part.refundPreTaxAmount.validate(.refundPreTaxAmount)
      guard part.refundPreTaxAmount.priceMicros > 0 else {
        throw .notAccepted(.refundPreTaxAmount)
      }
    }
  }
}

/// The refund of a part of a payment.
///
/// Source: Google Play Developer API, `PartialRefund`.
public struct PartialRefund: FieldModel, GoogleModel {
  /// An identifier of the refund, another one for each refund of the payment: Google refuses one that it knows.
  public var refundID = ""
  /// The refunded amount before tax, less than what is left.
  public var refundPreTaxAmount = ExternalTransaction.Price()
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates the refund of an amount before tax.
  public init(refundID: String, refundPreTaxAmount: ExternalTransaction.Price) {
    self.refundID = refundID
    self.refundPreTaxAmount = refundPreTaxAmount
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("refundId", &refundID)
    try coder.required("refundPreTaxAmount", &refundPreTaxAmount)
  }
}
