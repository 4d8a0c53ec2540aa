public import JWSVerifier
public import ReceiptModels

/// A page of a customer's transactions.
public struct TransactionPage: Sendable {
  /// The verified transactions, in Apple's order.
  public let transactions: [Verified<Transaction>]
  /// The elements that were refused.
  public let refused: [RefusedElement]
  /// The revision with which the next page, or later changes, are read.
  public let revision: String?
  /// Whether there are more pages.
  public let hasMore: Bool
  /// The environment of the server that answered.
  public let environment: AppStoreEnvironment
}
