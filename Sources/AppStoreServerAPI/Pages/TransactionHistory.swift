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

  init(pages: Pages, keepsRevision: Bool) {
    self.pages = pages
    self.keepsRevision = keepsRevision
  }

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
}

extension TransactionHistory {
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
