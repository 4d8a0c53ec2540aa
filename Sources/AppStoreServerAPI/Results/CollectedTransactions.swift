public import JWSVerifier
public import ReceiptModels

/// The transactions of all pages, each once.
public struct CollectedTransactions: Sendable {
  /// The transactions in the order of their first appearance; of one that appeared more than once,
  /// the copy with the latest signing date.
  public package(set) var transactions: [Verified<Transaction>] = []
  /// The elements that were refused, by page, from 0.
  public internal(set) var refused: [(page: Int, element: RefusedElement)] = []
  /// The revision to store with the transactions, and to pass the next time.
  ///
  /// Nil if the last page was not reached, if Apple sent none, and for a history that is filtered
  /// or descending: its revision would leave changes out.
  public internal(set) var revision: String?
  /// The number of pages.
  public internal(set) var pages = 0
  /// The environment of the server that answered; nil before the first page.
  public internal(set) var environment: AppStoreEnvironment?

  private var positions: [String: Int] = [:]

  init() {}

  /// Adds a page.
  mutating func add(_ page: TransactionPage) {
    refused += page.refused.map { (pages, $0) }
    pages += 1
    environment = page.environment
    for transaction in page.transactions {
      guard let id = transaction.payload.transactionID, let position = positions[id] else {
        if let id = transaction.payload.transactionID { positions[id] = transactions.count }
        transactions.append(transaction)
        continue
      }
      if transaction.isNewer(than: transactions[position]) { transactions[position] = transaction }
    }
  }
}

extension Verified<Transaction> {
  /// Whether the transaction was signed later than another copy of it.
  func isNewer(than other: Verified<Transaction>) -> Bool {
    guard let signedDate else { return false }
    return other.signedDate.map { $0 < signedDate } ?? true
  }
}

/// A page of a customer's transactions.
public struct TransactionPage: Sendable {
  /// The verified transactions, in Apple's order.
  public let transactions: [Verified<Transaction>]
  public let refused: [RefusedElement]
  /// The revision with which the next page, or later changes, are read.
  public let revision: String?
  public let hasMore: Bool
  public let environment: AppStoreEnvironment
}

/// A signed element of a list that the verifier refused.
///
/// It grants nothing. The other elements of the list are not affected.
public struct RefusedElement: Error, Hashable, Sendable {
  /// The position of the element in the list, from 0.
  public let index: Int
  public let failure: SignedDataFailure
}

/// A part of an answer that Apple didn't sign.
///
/// It came over a connection to Apple's server and no further: grant nothing because of it.
public struct Unsigned<Value: Hashable & Sendable>: Hashable, Sendable {
  public let value: Value
  public let environment: AppStoreEnvironment

  init(_ value: Value, in environment: AppStoreEnvironment) {
    self.value = value
    self.environment = environment
  }
}
