public import JSONValues
public import ReceiptModels

/// One transaction, as Apple sent it.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `TransactionInfoResponse`.
public struct TransactionInfoResponse: FieldModel {
  public var signedTransactionInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedTransactionInfo", &signedTransactionInfo)
  }
}

/// The purchase of the app by a customer, as Apple sent it.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `AppTransactionInfoResponse`.
public struct AppTransactionInfoResponse: FieldModel {
  public var signedAppTransactionInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedAppTransactionInfo", &signedAppTransactionInfo)
  }
}

/// The transactions of an order, as Apple sent them.
///
/// An invalid order has no transactions of this app, even if the answer contains some. Decoding
/// verifies nothing.
///
/// Source: Apple, `OrderLookupResponse`.
public struct OrderLookupResponse: FieldModel {
  /// Whether the order belongs to this app; not signed.
  public var status: OrderLookupStatus?
  /// The transactions, each a signed token of its own.
  public var signedTransactions: [String]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("status", &status)
    try coder("signedTransactions", &signedTransactions)
  }
}
