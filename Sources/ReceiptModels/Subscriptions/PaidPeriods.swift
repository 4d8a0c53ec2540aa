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
    // By index, so that only the few that count are copied.
    for index in records.indices {
      guard let end = end(records[index]) else { continue }
      switch Self.standing(of: records[index], endingAt: end, superseding) {
      case .kept: Self.note(records[index], end, .kept, in: &kept)
      case .cancelled: Self.note(records[index], end, .cancelled, in: &cancelled)
      case .upgraded: Self.note(records[index], end, .upgraded, in: &upgraded)
      }
    }
  }

  private static func standing(
    of record: borrowing PurchaseRecord, endingAt end: Date, _ superseding: SupersedingPurchases
  ) -> Standing {
    if record.isUpgraded { return .upgraded }
    if !superseding.isEmpty, superseding.supersede(copy record, endingAt: end) { return .upgraded }
    return record.isCancelled ? .cancelled : .kept
  }

  /// Keeps a transaction as the latest of its standing, if it is.
  private static func note(
    _ record: borrowing PurchaseRecord, _ end: Date, _ standing: Standing,
    in latest: inout Period?
  ) {
    if let latest {
      // The ends decide nearly always.
      guard end >= latest.end else { return }
      if end == latest.end, PurchaseRank(copy record, end: end) <= latest.rank { return }
    }
    latest = Period(record: copy record, end: end, standing: standing)
  }
}

extension PaidPeriods.Period {
  var rank: PurchaseRank { PurchaseRank(record, end: end) }
}
