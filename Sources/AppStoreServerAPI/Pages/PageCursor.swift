/// The place in a sequence of pages, each of which names the next one.
struct PageCursor: Sendable {
  /// The revision or token of the next page; nil for the first.
  private(set) var next: String?
  let limit: Int

  private var pages = 0
  private var seen: Set<String> = []
  private var hasStartedOver = false
  private var end: End?

  /// An end of the pages.
  enum End: Sendable {
    case last
    case repeated
  }

  init(startingAt first: String?, limit: Int) {
    next = first
    self.limit = max(1, limit)
    if let first { seen.insert(first) }
  }

  /// The step to take now.
  enum Step: Sendable {
    case read
    case end
    case fail(AppStoreServerFailure.Reason)
  }

  /// Returns the step to take now; after a failure there is nothing more to read.
  mutating func step() -> Step {
    switch end {
    case .last: return .end
    case .repeated:
      end = .last
      return .fail(.pagesRepeat)
    case nil: break
    }
    guard pages < limit else {
      end = .last
      return .fail(.tooManyPages(limit: limit))
    }
    return .read
  }

  /// Moves on after a page.
  ///
  /// A page that says that there is more, but names no page or one that was read, is the last one
  /// that is read, and the next step fails.
  mutating func advance(to token: String?, hasMore: Bool) {
    pages += 1
    guard hasMore else { return end = .last }
    guard let token, !token.isEmpty, seen.insert(token).inserted else { return end = .repeated }
    next = token
  }

  /// Moves after a failure: to the first page, once, if Apple no longer knows the place.
  mutating func mayStartOver(after failure: AppStoreServerFailure) -> Bool {
    guard failure.retry == .startOver, next != nil, !hasStartedOver else {
      end = .last
      return false
    }
    hasStartedOver = true
    next = nil
    seen = []
    return true
  }
}
