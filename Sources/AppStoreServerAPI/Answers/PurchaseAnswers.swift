public import JSONValues
public import ReceiptModels

/// A page of the transactions of a customer, as Apple sent it.
///
/// Decoding verifies nothing. Source: Apple, `HistoryResponse`.
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

/// A page of the refunded transactions of a customer, as Apple sent it.
///
/// Decoding verifies nothing. Source: Apple, `RefundHistoryResponse`.
public struct RefundHistoryResponse: FieldModel {
  /// The transactions, each a signed token of its own.
  public var signedTransactions: [String]?
  /// The place to continue at in the next call.
  public var revision: String?
  public var hasMore: Bool?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedTransactions", &signedTransactions)
    try coder("revision", &revision)
    try coder("hasMore", &hasMore)
  }
}

/// One transaction, as Apple sent it.
///
/// Decoding verifies nothing. Source: Apple, `TransactionInfoResponse`.
public struct TransactionInfoResponse: FieldModel {
  public var signedTransactionInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedTransactionInfo", &signedTransactionInfo)
  }
}

/// The purchase of the app by a customer, as Apple sent it.
///
/// Decoding verifies nothing. Source: Apple, `AppTransactionInfoResponse`.
public struct AppTransactionInfoResponse: FieldModel {
  public var signedAppTransactionInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("signedAppTransactionInfo", &signedAppTransactionInfo)
  }
}

/// The transactions of an order, as Apple sent them.
///
/// An invalid order has no transactions of this app, even if the answer contains some. Decoding
/// verifies nothing. Source: Apple, `OrderLookupResponse`.
public struct OrderLookupResponse: FieldModel {
  /// Whether the order belongs to this app; not signed.
  public var status: OrderLookupStatus?
  /// The transactions, each a signed token of its own.
  public var signedTransactions: [String]?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("status", &status)
    try coder("signedTransactions", &signedTransactions)
  }
}

/// The subscriptions of a customer, as Apple sent them.
///
/// Decoding verifies nothing. Source: Apple, `StatusResponse`.
public struct StatusResponse: FieldModel {
  /// The environment that the answer is from; not signed.
  public var environment: AppStoreEnvironment?
  /// The identifier of the app; not signed.
  public var bundleID: String?
  /// Apple's number of the app, only in Production; not signed.
  public var appAppleID: Int?
  public var data: [SubscriptionGroupStatuses]?
  public var additionalMembers: [String: JSONValue] = [:]
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
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("subscriptionGroupIdentifier", &subscriptionGroupIdentifier)
    try coder("lastTransactions", &lastTransactions)
  }
}

/// The latest transaction of a subscription.
///
/// An item may lack both tokens; then it proves nothing. Source: Apple, `LastTransactionsItem`.
public struct LastTransaction: FieldModel {
  /// The status of the subscription; not signed.
  public var status: SubscriptionStatus?
  /// The identifier of the first charge; not signed.
  public var originalTransactionID: String?
  public var signedTransactionInfo: String?
  public var signedRenewalInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("status", &status)
    try coder("originalTransactionId", &originalTransactionID)
    try coder("signedTransactionInfo", &signedTransactionInfo)
    try coder("signedRenewalInfo", &signedRenewalInfo)
  }
}
