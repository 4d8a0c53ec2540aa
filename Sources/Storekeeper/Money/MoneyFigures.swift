public import CreditPolicy
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The figures of the business that a ``MoneyStore`` keeps: reports of them, and the counting anew.
///
/// ```swift
/// let figures = MoneyFigures(shop)
/// let report = try await figures.report(MoneyReport.Query(months: may...november, asOf: today))
/// print(report.table)
/// ```
public struct MoneyFigures: Sendable {
  /// The parts that the services of the host share.
  public let context: PurchaseContext

  /// The kinds of bookings of the host's own by which credits expire; all others that take credits spend them.
  public static let expiries: Set<LedgerBooking.ChangeType> = [
    "expire", "expired", "expiry", "expiration",
  ]

  /// Creates the figures of a context's store.
  public init(_ context: PurchaseContext) { self.context = context }

  /// Returns a report.
  ///
  /// - Throws: An error of the store; ``/PurchaseStorage/StorageFailure/capabilityMissing(_:)`` if it keeps no figures.
  public func report(_ query: MoneyReport.Query) async throws -> MoneyReport {
    let counts = try await counts(in: query.environment, through: query.asOf, of: .month)
    return MoneyReport(query, counts)
  }

  /// Adds what units of work have added to the sums, which shortens a report; returns the number of differences.
  ///
  /// Any number of processes may do so at once.
  ///
  /// - Throws: An error of the store.
  @discardableResult
  public func fold() async throws -> Int {
    var count = 0
    while !Task.isCancelled {
      let folded = try await context.store.write {
        try await $0.money.fold(limit: Self.foldLength)
      }
      count += folded
      guard folded == Self.foldLength else { break }
    }
    return count
  }

  /// The result of a counting anew.
  public struct Recount: Hashable, Sendable {
    /// The purchases that were counted.
    public var purchases = 0
    /// The users whose ledgers were counted.
    public var ledgers = 0
    /// The purchases and ledgers of which something else was counted before.
    public var changed = 0
    /// Whether another process does it now; what this one has counted stays counted.
    public var isLeasedElsewhere = false
  }

  /// Counts all purchases and ledgers, page by page, and puts right what was counted of each: what was recorded before
  /// figures were kept, and all if a later version counts in another way.
  ///
  /// Requests go on meanwhile. If it is stopped, the next call begins anew, and ``countOnce()`` goes on there.
  ///
  /// - Throws: An error of the store; ``MoneyFailure``.
  @discardableResult
  public func recount() async throws -> Recount { try await recount(again: true) }

  /// Counts all that was recorded before figures were kept, unless that was done; if it is stopped, it goes on there the
  /// next time.
  ///
  /// - Throws: As ``recount()``.
  @discardableResult
  public func countOnce() async throws -> Recount { try await recount(again: false) }

  private func recount(again: Bool) async throws -> Recount {
    let job = LeasedJob(
      name: Self.job, store: context.store, now: context.now, leaseDuration: .seconds(300))
    var result = Recount()
    let wasFree = try await job.run { lease in
      // What was counted before a stop may be wrong, if figures were not kept meanwhile.
      var place = again ? .purchases(after: nil) : RecountPlace(lease.place)
      while place != .done {
        try Task.checkCancellation()
        let (next, step) = try await step(from: place, of: job, lease)
        result.purchases += step.purchases
        result.ledgers += step.ledgers
        result.changed += step.changed
        guard let next else { return result.isLeasedElsewhere = true }
        place = next
      }
    }
    if !wasFree { result.isLeasedElsewhere = true }
    return result
  }

  /// Counts a page; returns the place behind it, or nil if the lease was lost.
  private func step(
    from place: RecountPlace, of job: LeasedJob, _ lease: JobPlace
  ) async throws -> (RecountPlace?, Recount) {
    let limit = Self.pageLength
    let hasCredits = context.store.capabilities.contains(.credits)
    return try await context.store.write { unit in
      let counting = MoneyCounting(unit: unit)
      var (next, result) = (RecountPlace.done, Recount())
      switch place {
      case .purchases(let cursor):
        let page = try await unit.purchases.purchases(after: cursor, limit: limit)
        result.purchases = page.count
        result.changed = try await counting.count(page)
        next = page.last.map { .purchases(after: $0) } ?? .ledgers(after: nil)
      case .ledgers(let user) where hasCredits:
        let page = try await unit.ledgerAudit.accounts(after: user, through: nil, limit: limit)
        result.ledgers = page.count
        result.changed = try await counting.count(page.map(\.userID))
        next = page.last.map { .ledgers(after: $0.userID) } ?? .done
      case .ledgers, .done: break
      }
      let isHeld = try await job.advance(lease, to: next.text, in: unit)
      return (isHeld ? next : nil, result)
    }
  }

  /// Returns the differences between what is kept of an environment and a full count of all purchases and ledgers, by day;
  /// empty if they agree.
  ///
  /// It reads everything, in pages of one unit of work each, and shows differences of what is written meanwhile.
  ///
  /// - Throws: An error of the store.
  public func differences(in environment: AppStoreEnvironment) async throws -> MoneyCounts {
    let kept = try await counts(
      in: environment, through: CalendarDay(Date.distantFuture), of: .day)
    var counted = MoneyCounts()
    var place = RecountPlace.purchases(after: nil)
    while place != .done {
      let (next, page) = try await fullCount(from: place, environment)
      counted.add(page)
      place = next
    }
    return kept - counted
  }

  private func fullCount(
    from place: RecountPlace, _ environment: AppStoreEnvironment
  ) async throws -> (RecountPlace, MoneyCounts) {
    let limit = Self.pageLength
    let hasCredits = context.store.capabilities.contains(.credits)
    return try await context.store.read { unit in
      var (next, counts) = (RecountPlace.done, MoneyCounts())
      switch place {
      case .purchases(let cursor):
        let page = try await unit.purchases.purchases(after: cursor, limit: limit)
        for purchase in page where purchase.environment == environment {
          let ids = [purchase.originalTransactionID]
          counts.add(
            MoneyCounts(
              of: try await unit.purchases.transactions(of: ids, environment: environment),
              renewals: try await unit.purchases.renewals(of: ids, environment: environment),
              environment: environment))
        }
        next = page.last.map { .purchases(after: $0) } ?? .ledgers(after: nil)
      case .ledgers(let user) where hasCredits:
        let page = try await unit.ledgerAudit.accounts(after: user, through: nil, limit: limit)
        for account in page {
          let entries = try await unit.creditLedger.entries(
            of: account.userID, skipping: 0, limit: .max)
          for entry in entries where entry.booking.environment ?? .production == environment {
            counts.add(entry)
          }
        }
        next = page.last.map { .ledgers(after: $0.userID) } ?? .done
      case .ledgers, .done: break
      }
      return (next, counts)
    }
  }

  private func counts(
    in environment: AppStoreEnvironment, through day: CalendarDay, of span: MoneySpan
  ) async throws -> MoneyCounts {
    try await context.store.read {
      try await $0.money.counts(in: environment, through: day, of: span)
    }
  }

  private static let job = "money figures"
  private static let pageLength = 100
  private static let foldLength = 500
}

/// The place of a count of everything.
private enum RecountPlace: Equatable {
  /// The end, by the rules of this version; another number has everything counted again.
  private static let end = "done 2"

  case purchases(after: ReceiptCursor?)
  case ledgers(after: AccountID?)
  case done

  init(_ text: String?) {
    let parts = (text ?? "").split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    switch parts.first {
    case "purchase" where parts.count == 3:
      self = .purchases(
        after: ReceiptCursor(
          originalTransactionID: String(parts[2]),
          environment: AppStoreEnvironment(rawValue: String(parts[1]))))
    case "ledger" where parts.count > 1:
      let user = parts[1...].joined(separator: ":")
      self = .ledgers(after: user.isEmpty ? nil : AccountID(stored: user))
    case let part? where part == Self.end: self = .done
    default: self = .purchases(after: nil)
    }
  }

  var text: String {
    switch self {
    case .purchases(let cursor):
      cursor.map { "purchase:\($0.environment.rawValue):\($0.originalTransactionID)" } ?? ""
    case .ledgers(let user): "ledger:\(user?.rawValue ?? "")"
    case .done: Self.end
    }
  }
}

extension BackgroundJob {
  /// The figures of the business, every minute unless told otherwise: what was recorded before they were kept is counted
  /// once, and what was added is folded.
  public static func moneyFigures(
    _ figures: MoneyFigures, every interval: Duration = .seconds(60)
  ) -> BackgroundJob {
    BackgroundJob("money figures", every: interval) {
      let count = try await figures.countOnce()
      try await figures.fold()
      return count.isLeasedElsewhere ? .leasedElsewhere : .done
    }
  }
}
