internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GooglePlayClient {
  /// The time that Google looks back for voided purchases: 30 days.
  public static let voidedPurchasesPeriod = Duration.seconds(30 * 86_400)

  /// Returns the purchases that were refunded, charged back or canceled in a period, page by page as
  /// they are asked for (`purchases.voidedpurchases.list`).
  ///
  /// ```swift
  /// for try await page in play.voidedPurchases(from: lastRun.addingTimeInterval(-3600)) {
  ///   for voided in page.voidedPurchases { … }
  /// }
  /// ```
  ///
  /// Google allows 6000 calls a day, and 30 in 30 seconds. A refund that left the user the product is
  /// not listed. Renewals share the purchase token: tell purchases apart by their order ID.
  ///
  /// - Parameters:
  ///   - start: The earliest time at which a purchase was voided, at most 30 days ago.
  ///   - end: The latest such time; nil, or a date in the future, for now.
  ///   - options: What is listed, and the pages.
  ///   - patience: The time limit for all attempts of one page, or nil for the configured one.
  /// - Returns: The pages. A period or a size that breaks a rule is the failure of the first one.
  public func voidedPurchases(
    from start: Date, to end: Date? = nil, options: VoidedPurchasesOptions = .init(),
    patience: Duration? = nil
  ) -> VoidedPurchasePages {
    // Once for all pages, which are those of one list.
    let first: Result<[QueryItem], InvalidCall>
    do throws(InvalidCall) {
      first = .success(try options.query(from: start, to: end, now: now()))
    } catch {
      first = .failure(error)
    }
    return VoidedPurchasePages(pageLimit: options.pageLimit) { page throws(GooglePlayFailure) in
      let query: [QueryItem]
      switch first {
      case .success(let items):
        query = items + (page.map { [QueryItem(name: "token", value: $0)] } ?? [])
      case .failure(let fault): throw .invalidCall(fault)
      }
      return try await self.read(
        PlayRequest(.listVoidedPurchases, get: "purchases/voidedpurchases", query: query),
        patience: patience)
    }
  }
}

/// The choice of voided purchases, and the size of the pages.
///
/// Source: Google Play Developer API, `purchases.voidedpurchases.list`.
public struct VoidedPurchasesOptions: Hashable, Sendable {
  public var type = VoidedPurchasesType.all
  /// Whether a purchase of several pieces is listed of which some were refunded.
  public var includesQuantityBasedPartialRefunds = true
  /// The maximum number of purchases on a page, from 1 to 1000.
  public var pageSize = 1000
  /// The maximum number of pages, at least one.
  public var pageLimit = 500

  /// Creates the options that list everything.
  public init() {}

  func query(
    from start: Date, to end: Date?, now: Date
  ) throws(InvalidCall) -> [QueryItem] {
    let earliest = now - GooglePlayClient.voidedPurchasesPeriod.timeInterval
    guard start >= earliest else { throw .startTooEarly(earliest: earliest) }
    let end = end.flatMap { $0 < now ? $0 : nil }
    guard start < end ?? now else { throw .emptyPeriod }
    guard (1...1000).contains(pageSize) else { throw .pageSizeOutOfRange(pageSize) }
    var query = [QueryItem(name: "startTime", value: Self.milliseconds(start))]
    if let end { query.append(QueryItem(name: "endTime", value: Self.milliseconds(end))) }
    return query + [
      QueryItem(name: "type", value: String(type.rawValue)),
      QueryItem(
        name: "includeQuantityBasedPartialRefund",
        value: String(includesQuantityBasedPartialRefunds)),
      QueryItem(name: "maxResults", value: String(pageSize)),
    ]
  }

  private static func milliseconds(_ date: Date) -> String {
    String(Int(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0)
  }
}

/// The type of voided purchases to list.
public enum VoidedPurchasesType: Int, Hashable, Sendable, CaseIterable {
  /// One-time products only, Google's default.
  case oneTimeProducts = 0
  /// One-time products and subscriptions.
  case all = 1
}
