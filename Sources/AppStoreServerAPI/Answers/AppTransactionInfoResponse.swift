public import JSONValues
public import ReceiptModels

/// The purchase of the app by a customer, as Apple sent it.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `AppTransactionInfoResponse`.
public struct AppTransactionInfoResponse: FieldModel {
  /// The app transaction, as a signed token of its own.
  public var signedAppTransactionInfo: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedAppTransactionInfo", &signedAppTransactionInfo)
  }
}
