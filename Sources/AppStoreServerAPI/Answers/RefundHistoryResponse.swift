public import JSONValues
public import ReceiptModels

/// A page of the refunded transactions of a customer, as Apple sent it.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `RefundHistoryResponse`.
public struct RefundHistoryResponse: FieldModel {
  /// The transactions, each a signed token of its own.
  public var signedTransactions: [String]?
  /// The place to continue at in the next call.
  public var revision: String?
  public var hasMore: Bool?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedTransactions", &signedTransactions)
    try coder("revision", &revision)
    try coder("hasMore", &hasMore)
  }
}
