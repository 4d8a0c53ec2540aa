public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The stores' questions about purchases whose refund somebody wants, with the answers and the decisions.
public protocol ConsumptionRepository {
  /// Adds a case in any state; returns false if one with the same key is stored, which stays as it is.
  func add(_ case: ConsumptionCase) async throws -> Bool

  /// Returns the case with this key, or nil if there is none.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(key: String) async throws -> ConsumptionCase?

  /// Keeps what is known of a case before its answer is sent; returns whether it was kept.
  ///
  /// Of the values, ``ConsumptionCase/originalTransactionID``, ``ConsumptionCase/productID``, ``ConsumptionCase/answer``
  /// and ``ConsumptionCase/proposedAnswer`` replace those of the stored case with the key. A case in another state than
  /// ``ConsumptionCase/State-swift.enum/waiting`` stays as it is, and so does one whose stored answer has other bytes
  /// than `answer`; a key that is not stored is ignored.
  func prepare(_ case: ConsumptionCase, replacing answer: String?) async throws -> Bool

  /// Ends the waiting of a case.
  ///
  /// A case in another state than ``ConsumptionCase/State-swift.enum/waiting`` stays as it is, and a key that is not
  /// stored is ignored; to settle a case as waiting is refused before a store sees it. `answer` is the JSON that was
  /// sent, if any: 1 to 65,535 bytes. `now` becomes the ``ConsumptionCase/stateDate``, and a proposed answer goes.
  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) async throws

  /// Notes how a store decided about a refund; returns false if no case is concerned.
  ///
  /// `outcome`, the store's word for it, such as `REFUND`, has 1 to 255 bytes. It belongs to the
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

  /// Returns the cases that wait for an answer and whose deadline is after a moment: those that end first up to the
  /// limit, then in ascending order of the bytes of the key.
  func waiting(at date: Date, limit: Int) async throws -> [ConsumptionCase]
}

/// A store's question about a purchase whose refund somebody wants, with the answer and the outcome.
///
/// Apple asks for consumption information, Google for a review of a chargeback. Dates are kept in milliseconds.
/// Neither ``description`` nor the mirror shows the answer or a token. Source: App Store Server API rules,
/// section 5.6; Google Play rules, section 9.
public struct ConsumptionCase: Hashable, Sendable {
  /// The state of the answer.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case waiting
    case answered
    /// Nothing was sent, by decision of the host or of the rules, for example without consent.
    case declined
    /// The deadline passed before an answer was sent.
    case missed
    /// An answer was sent, and the store refused it.
    case refused
  }

  /// The key of the question, the same for each notification that asks it: 1 to 255 bytes.
  public var key: String
  /// The environment of the purchase: Production or Sandbox; Production for Google, which does not tell it.
  public var environment: AppStoreEnvironment
  /// The transaction to be refunded, 1 to 64 digits; for Google the order, after a word.
  public var transactionID: String
  /// The original transaction, 1 to 64 digits; for Google, whose question names the order alone, the same as
  /// ``transactionID`` until the order was read.
  public var originalTransactionID: String
  /// The product, at most 255 bytes; nil if it is not known.
  public var productID: String?
  /// The reason as the store names it, at most 255 bytes; nil if it told none.
  public var reason: String?
  /// Whether the purchase belongs to Advanced Commerce, which asks for another form of the answer.
  public var isAdvancedCommerce: Bool
  /// The token with which Google takes the answer, at most 2,048 bytes; nil for Apple.
  public var pendingRefundToken: String?
  public var requestedDate: Date
  /// The date after which an answer is too late.
  public var deadline: Date
  public var state: State
  /// The JSON that was sent, without tokens, at most 65,535 bytes; nil if none was.
  ///
  /// That of a case that waits may have arrived, so that no other is sent.
  public var answer: String?
  /// The JSON of a person's answer that waits to be sent, without tokens, at most 65,535 bytes; nil if there is none.
  ///
  /// It becomes the ``answer`` before it is sent.
  public var proposedAnswer: String?
  /// The date at which the state was reached; nil while nothing was decided.
  public var stateDate: Date?
  /// The store's word for its decision, such as `REFUND` or `REFUND_DECLINED`, at most 255 bytes; nil until it told
  /// one.
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

  /// The store that asks.
  public var vendor: Vendor { TransactionIDs.vendor(of: transactionID) }
}

extension ConsumptionCase: CustomStringConvertible, CustomReflectable {
  /// The key, the state and the outcome.
  public var description: String {
    "ConsumptionCase(\(key), \(state.rawValue)\(outcome.map { ", \($0)" } ?? ""))"
  }

  /// A mirror without the answer, which may tell of the customer, and without the token.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "key": key, "environment": environment, "transactionID": transactionID,
        "originalTransactionID": originalTransactionID, "productID": productID as Any,
        "reason": reason as Any, "requestedDate": requestedDate, "deadline": deadline,
        "state": state, "stateDate": stateDate as Any, "outcome": outcome as Any,
        "outcomeDate": outcomeDate as Any,
      ])
  }
}
