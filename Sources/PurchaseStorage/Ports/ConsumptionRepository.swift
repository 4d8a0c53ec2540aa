public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The App Store's requests for consumption information, with their answers and the decisions about the
/// refunds.
public protocol ConsumptionRepository {
  /// Adds a case in any state; returns false if one with the same key is stored, which stays as it is.
  func add(_ case: ConsumptionCase) async throws -> Bool

  /// Returns the case with this key, or nil if there is none.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(key: String) async throws -> ConsumptionCase?

  /// Ends the waiting of a case.
  ///
  /// A case in another state than ``ConsumptionCase/State-swift.enum/waiting`` stays as it is, and a key that is not
  /// stored is ignored; to settle a case as waiting is refused before a store sees it. `answer` is the JSON that was
  /// sent, if any: 1 to 4,096 bytes. `now` becomes the ``ConsumptionCase/stateDate``.
  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) async throws

  /// Notes how the App Store decided about a refund; returns false if no case is concerned.
  ///
  /// `outcome`, the type of the notification that told it, such as `REFUND`, has 1 to 255 bytes. It belongs to the
  /// newest case of the transaction that has none and was not requested after the decision. Of cases requested at the
  /// same moment, it is the one with the greatest key in the order of bytes.
  func note(
    outcome: String, ofTransaction transactionID: String, environment: AppStoreEnvironment,
    date: Date
  ) async throws -> Bool

  /// Returns the cases of a transaction in the order in which they were requested, oldest first, then in
  /// ascending order of the bytes of the key.
  func cases(
    ofTransaction transactionID: String, environment: AppStoreEnvironment
  ) async throws -> [ConsumptionCase]
}

/// A request of the App Store for consumption information about a purchase whose refund a customer asks
/// for, with the answer and the outcome.
///
/// Dates are kept in milliseconds. Source: App Store Server API rules, section 5.6.
public struct ConsumptionCase: Hashable, Sendable {
  /// The state of the answer.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case waiting
    case answered
    /// Nothing was sent, by decision of the host or of the rules, for example without consent.
    case declined
    /// The deadline passed before an answer was sent.
    case missed
    /// An answer was sent, and the App Store refused it.
    case refused
  }

  /// The key of the notification that asked: 1 to 255 bytes.
  public var key: String
  /// The environment of the purchase: Production or Sandbox.
  public var environment: AppStoreEnvironment
  /// The transaction to be refunded: 1 to 64 digits.
  public var transactionID: String
  /// The original transaction: 1 to 64 digits.
  public var originalTransactionID: String
  /// The product, at most 255 bytes; nil if the notification has none.
  public var productID: String?
  /// The customer's reason as the App Store names it, at most 255 bytes; nil if it told none.
  public var reason: String?
  /// Whether the purchase belongs to Advanced Commerce, which asks for another form of the answer.
  public var isAdvancedCommerce: Bool
  public var requestedDate: Date
  /// The date after which an answer is too late.
  public var deadline: Date
  public var state: State
  /// The JSON that was sent, at most 4,096 bytes; nil if none was.
  public var answer: String?
  /// The date at which the state was reached; nil while nothing was decided.
  public var stateDate: Date?
  /// The type of the notification that told how the App Store decided, such as `REFUND` or
  /// `REFUND_DECLINED`, at most 255 bytes; nil until it did.
  public var outcome: String?
  public var outcomeDate: Date?

  /// Creates a case that waits for an answer.
  public init(
    key: String, environment: AppStoreEnvironment, transactionID: String,
    originalTransactionID: String, productID: String? = nil, reason: String? = nil,
    isAdvancedCommerce: Bool = false, requestedDate: Date, deadline: Date
  ) {
    self.key = key
    self.environment = environment
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.productID = productID
    self.reason = reason
    self.isAdvancedCommerce = isAdvancedCommerce
    self.requestedDate = requestedDate
    self.deadline = deadline
    state = .waiting
  }
}
