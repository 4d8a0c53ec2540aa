public import JSONValues
public import ReceiptModels

/// One transaction, as Apple sent it.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `TransactionInfoResponse`.
public struct TransactionInfoResponse: FieldModel {
  /// The transaction, as a signed token of its own.
  public var signedTransactionInfo: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedTransactionInfo", &signedTransactionInfo)
  }
}
