public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The App Store's requests for consumption information, with their answers and the decisions about the
/// refunds.
public protocol ConsumptionRepository {
  /// Adds a case.
  ///
  /// - Parameter case: The case, in any state.
  /// - Returns: False if a case with the same key is stored; that one stays as it is.
  /// - Throws: A failure of the store.
  func add(_ case: ConsumptionCase) async throws -> Bool

  /// Returns the case with this key, or nil if there is none.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(key: String) async throws -> ConsumptionCase?

  /// Ends the waiting of a case. A case in another state than ``ConsumptionCase/State-swift.enum/waiting``
  /// stays as it is, and a key that is not stored is ignored.
  ///
  /// - Parameters:
  ///   - key: The key of the case.
  ///   - state: The new state; ``ConsumptionCase/State-swift.enum/waiting`` is refused before a store sees it.
  ///   - answer: The JSON that was sent, if any: 1 to 4,096 bytes.
  ///   - now: The present moment, which becomes the ``ConsumptionCase/stateDate``.
  /// - Throws: A failure of the store.
  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) async throws

  /// Notes how the App Store decided about a refund.
  ///
  /// The outcome belongs to the newest case of the transaction that has none and was not requested after
  /// the decision. Of cases requested at the same moment, it is the one with the greatest key in the order of
  /// bytes.
  ///
  /// - Parameters:
  ///   - outcome: The type of the notification that told it, such as `REFUND`: 1 to 255 bytes.
  ///   - transactionID: The transaction of the refund.
  ///   - environment: The environment of the purchase.
  ///   - date: The date of the decision.
  /// - Returns: False if there is no such case.
  /// - Throws: A failure of the store.
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
