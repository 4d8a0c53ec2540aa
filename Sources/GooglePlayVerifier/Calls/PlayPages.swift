/// A page of a list of Google's.
public protocol PlayPage: Sendable {
  /// The token of the next page; nil on the last one.
  var nextPageToken: String? { get }
}

/// The voided purchases of a period, page by page.
public typealias VoidedPurchasePages = PlayPages<VoidedPurchasesPage>

/// A list of Google's, page by page as they are asked for.
///
/// When the task is cancelled, no further page is asked for. After a failure there are no more pages.
public struct PlayPages<Page: PlayPage>: AsyncSequence, Sendable {
  /// A page.
  public typealias Element = Page
  /// The failure of a page.
  public typealias Failure = GooglePlayFailure

  let pageLimit: Int
  let read: @Sendable (_ page: String?) async throws(GooglePlayFailure) -> Page

  /// Creates an iterator, which reads from the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

  /// An iterator over the pages.
  public struct Iterator: AsyncIteratorProtocol {
    /// A page.
    public typealias Element = Page
    /// The failure of a page.
    public typealias Failure = GooglePlayFailure

    private let pages: PlayPages
    private var next: String?
    private var seen: Set<String> = []
    private var count = 0
    private var isAtEnd = false

    init(pages: PlayPages) { self.pages = pages }

    /// Returns the next page, or nil after the last one.
    ///
    /// - Throws: ``GooglePlayFailure``; `pagesRepeat` instead of a page that was read already.
    public mutating func next() async throws(GooglePlayFailure) -> Page? {
      guard !isAtEnd else { return nil }
      // A failure ends the pages.
      isAtEnd = true
      guard count < Swift.max(1, pages.pageLimit) else {
        throw .tooManyPages(limit: Swift.max(1, pages.pageLimit))
      }
      if let next, !seen.insert(next).inserted { throw .pagesRepeat }
      let page = try await pages.read(next)
      count += 1
      next = page.nextPageToken
      isAtEnd = next == nil
      return page
    }

    /// Returns the next page, or nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(GooglePlayFailure) -> Page? {
      try await next()
    }
  }
}
