#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The paid periods of one original transaction id in one environment, sorted out by their standing.
///
/// The one implementation of the rules behind the summary of a history and the stored subscription.
///
/// Source: contract on linking, section 4.7, steps 1 to 4; contract on signed data, section 8.1.
struct PaidPeriods {
  /// The effect of later events on a period; a lower one counts before a higher one.
  enum Standing: Comparable {
    /// Neither refunded nor replaced.
    case kept
    /// Refunded or revoked by Apple.
    case cancelled
    /// Replaced by another product, by its own flag or because it was superseded.
    case upgraded
  }

  /// A transaction with an end.
  struct Period {
    let record: PurchaseRecord
    let end: Date
    let standing: Standing
  }

  /// The latest period that counts for access.
  private(set) var kept: Period?
  /// The latest period that was refunded or revoked.
  private(set) var cancelled: Period?
  /// The latest period that was replaced by another product.
  private(set) var upgraded: Period?

  /// The latest period that was not replaced, refunded or not.
  var newest: Period? {
    guard let kept, let cancelled else { return kept ?? cancelled }
    return kept.rank < cancelled.rank ? cancelled : kept
  }

  /// Sorts out transactions, in any order.
  ///
  /// - Parameters:
  ///   - records: All transactions of the original id; also those without an end may supersede.
  ///   - end: The end of a transaction, or nil for one that is no candidate.
  init(_ records: [PurchaseRecord], end: (PurchaseRecord) -> Date?) {
    let superseding = SupersedingPurchases(records)
    for record in records {
      guard let end = end(record) else { continue }
      let isUpgraded = record.isUpgraded || superseding.supersede(record, endingAt: end)
      let standing: Standing =
        isUpgraded ? .upgraded : record.isCancelled ? .cancelled : .kept
      let period = Period(record: record, end: end, standing: standing)
      switch standing {
      case .kept: kept = period.later(than: kept)
      case .cancelled: cancelled = period.later(than: cancelled)
      case .upgraded: upgraded = period.later(than: upgraded)
      }
    }
  }
}

extension PaidPeriods.Period {
  var rank: PurchaseRank { PurchaseRank(record, end: end) }

  fileprivate func later(than other: Self?) -> Self {
    guard let other else { return self }
    // The ends decide nearly always.
    if end != other.end { return end < other.end ? other : self }
    return rank < other.rank ? other : self
  }
}
