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
