public import JSONValues
public import ReceiptModels

/// The subscriptions of a customer, as Apple sent them.
///
/// Decoding verifies nothing.
///
/// Source: Apple, `StatusResponse`.
public struct StatusResponse: FieldModel {
  /// The environment that the answer is from; not signed.
  public var environment: AppStoreEnvironment?
  /// The identifier of the app; not signed.
  public var bundleID: String?
  /// Apple's number of the app, only in Production; not signed.
  public var appAppleID: Int?
  public var data: [SubscriptionGroupStatuses]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("environment", &environment)
    try coder("bundleId", &bundleID)
    try coder("appAppleId", &appAppleID)
    try coder("data", &data)
  }
}

/// The subscriptions of a customer in one subscription group.
///
/// Source: Apple, `SubscriptionGroupIdentifierItem`.
public struct SubscriptionGroupStatuses: FieldModel {
  public var subscriptionGroupIdentifier: String?
  public var lastTransactions: [LastTransaction]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("subscriptionGroupIdentifier", &subscriptionGroupIdentifier)
    try coder("lastTransactions", &lastTransactions)
  }
}

/// The latest transaction of a subscription.
///
/// An item may lack both tokens; then it proves nothing.
///
/// Source: Apple, `LastTransactionsItem`.
public struct LastTransaction: FieldModel {
  /// The status of the subscription; not signed.
  public var status: SubscriptionStatus?
  /// The identifier of the first charge; not signed.
  public var originalTransactionID: String?
  public var signedTransactionInfo: String?
  public var signedRenewalInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("status", &status)
    try coder("originalTransactionId", &originalTransactionID)
    try coder("signedTransactionInfo", &signedTransactionInfo)
    try coder("signedRenewalInfo", &signedRenewalInfo)
  }
}
