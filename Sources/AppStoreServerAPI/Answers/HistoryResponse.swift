public import JSONValues
public import ReceiptModels

/// A page of the transactions of a customer, as Apple sent it.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `HistoryResponse`.
public struct HistoryResponse: FieldModel {
  /// The place to continue at in the next call.
  public var revision: String?
  public var hasMore: Bool?
  /// The identifier of the app; not signed.
  public var bundleID: String?
  /// Apple's number of the app, only in Production; not signed.
  public var appAppleID: Int?
  /// The environment that the answer is from; not signed.
  public var environment: AppStoreEnvironment?
  /// The transactions, each a signed token of its own.
  public var signedTransactions: [String]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("revision", &revision)
    try coder("hasMore", &hasMore)
    try coder("bundleId", &bundleID)
    try coder("appAppleId", &appAppleID)
    try coder("environment", &environment)
    try coder("signedTransactions", &signedTransactions)
  }
}
