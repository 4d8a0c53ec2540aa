public import JWSVerifier
public import ReceiptModels

/// The transactions of a customer, page by page as they are asked for.
///
/// ```swift
/// for try await transaction in appStore.transactionHistory(of: id) { … }
/// for try await page in appStore.transactionHistory(of: id).pages { … }
/// let all = try await appStore.transactionHistory(of: id, since: revision).all()
/// ```
///
/// A transaction that changes while the pages are read comes again with a later signing date; one
/// that is not newer than a copy before it is left out. Elements that were refused are in the pages
/// only. When the task is cancelled, no further page is asked for.
///
/// If Apple no longer knows a stored revision, the pages are read from the first one.
public struct TransactionHistory: AsyncSequence, Sendable {
  /// A verified transaction.
  public typealias Element = Verified<Transaction>
  /// The failure of a page.
  public typealias Failure = AppStoreServerFailure

  public let pages: Pages
  /// Whether the revision of the last page is worth storing.
  let keepsRevision: Bool

  /// Creates an iterator, which reads from the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// An iterator over the transactions.
  public struct Iterator: AsyncIteratorProtocol {
    /// A verified transaction.
    public typealias Element = Verified<Transaction>
    /// The failure of a page.
    public typealias Failure = AppStoreServerFailure

    var pages: Pages.Iterator
    private var waiting: ArraySlice<Verified<Transaction>> = []
    private var newest: [String: Verified<Transaction>] = [:]

    init(pages: Pages.Iterator) { self.pages = pages }

    /// Returns the next transaction, or nil after the last one.
    public mutating func next() async throws(AppStoreServerFailure) -> Verified<Transaction>? {
      while true {
        while let transaction = waiting.popFirst() {
          if isNews(transaction) { return transaction }
        }
        guard let page = try await pages.next() else { return nil }
        waiting = page.transactions[...]
      }
    }

    /// Returns the next transaction, or nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(AppStoreServerFailure) -> Verified<Transaction>? {
      try await next()
    }

    private mutating func isNews(_ transaction: Verified<Transaction>) -> Bool {
      guard let id = transaction.payload.transactionID else { return true }
      if let known = newest[id], !transaction.isNewer(than: known) { return false }
      newest[id] = transaction
      return true
    }
  }

  /// Reads all pages and returns each transaction once.
  ///
  /// - Returns: The transactions, and the revision to store with them.
  /// - Throws: ``AppStoreServerFailure`` with ``AppStoreServerFailure/collected``, the transactions
  ///   of the pages before the failure.
  public func all() async throws(AppStoreServerFailure) -> CollectedTransactions {
    var collected = CollectedTransactions()
    var revision: String?
    var iterator = pages.makeAsyncIterator()
    do throws(AppStoreServerFailure) {
      while let page = try await iterator.next() {
        collected.add(page)
        revision = page.revision
      }
    } catch {
      var failure = error
      failure.collected = collected
      throw failure
    }
    collected.revision = keepsRevision ? revision : nil
    return collected
  }

  /// The pages of a history.
  public struct Pages: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = TransactionPage
    /// The failure of a page.
    public typealias Failure = AppStoreServerFailure

    let endpoint: AppStoreServerEndpoint
    let first: PageCursor
    let environment: AppStoreEnvironment?
    let read:
      @Sendable (_ revision: String?, _ environment: AppStoreEnvironment?)
        async throws(AppStoreServerFailure) -> TransactionPage

    /// Creates an iterator, which reads from the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    /// An iterator over the pages.
    public struct Iterator: AsyncIteratorProtocol {
      /// A page.
      public typealias Element = TransactionPage
      /// The failure of a page.
      public typealias Failure = AppStoreServerFailure

      private let pages: Pages
      private var cursor: PageCursor
      /// The environment that answered, which all pages have to be of.
      private var environment: AppStoreEnvironment?

      init(pages: Pages) {
        self.pages = pages
        cursor = pages.first
        environment = pages.environment
      }

      /// Returns the next page, or nil after the last one.
      public mutating func next() async throws(AppStoreServerFailure) -> TransactionPage? {
        while true {
          switch cursor.step() {
          case .end: return nil
          case .fail(let reason):
            throw AppStoreServerFailure(reason, of: pages.endpoint, in: environment)
          case .read: break
          }
          do throws(AppStoreServerFailure) {
            let page = try await pages.read(cursor.next, environment)
            environment = page.environment
            cursor.advance(to: page.revision, hasMore: page.hasMore)
            return page
          } catch {
            guard cursor.mayStartOver(after: error) else { throw error }
          }
        }
      }

      /// Returns the next page, or nil after the last one.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(AppStoreServerFailure) -> TransactionPage? {
        try await next()
      }
    }
  }
}

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
