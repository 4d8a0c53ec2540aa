#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The paid periods of one original transaction in one environment, separated by standing.
///
/// Both the summary of a history and the stored subscription are derived from them.
///
/// Source: linking rules, section 4.7, steps 1 to 4; App Store rules, section 8.1.
package struct PaidPeriods {
  /// The effect of later events on a period; the lowest takes precedence.
  package enum Standing: Comparable {
    /// Neither refunded nor replaced.
    case kept
    /// Refunded or revoked by Apple.
    case cancelled
    /// Replaced by another product, according to its own flag or a later purchase.
    case upgraded
  }

  /// A transaction with an expiration date.
  package struct Period {
    package let record: PurchaseRecord
    package let end: Date
    package let standing: Standing
  }

  /// The latest period that counts for access.
  package private(set) var kept: Period?
  /// The latest period that was refunded or revoked.
  package private(set) var cancelled: Period?
  /// The latest period that was replaced by another product.
  package private(set) var upgraded: Period?

  /// The latest period that was not replaced, whether refunded or not.
  package var newest: Period? {
    guard let kept, let cancelled else { return kept ?? cancelled }
    return kept.rank < cancelled.rank ? cancelled : kept
  }

  /// Separates transactions, which may be in any order.
  ///
  /// `records` are all of the original identifier: those without an end may supersede too. `end` is nil
  /// for a transaction that is not a candidate.
  package init(_ records: [PurchaseRecord], end: (PurchaseRecord) -> Date?) {
    let superseding = SupersedingPurchases(records)
    // By index, so that only the few results are copied.
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

  /// Replaces the latest period of a standing if the transaction is later.
  private static func note(
    _ record: borrowing PurchaseRecord, _ end: Date, _ standing: Standing,
    in latest: inout Period?
  ) {
    if let latest {
      // The ends nearly always decide.
      guard end >= latest.end else { return }
      if end == latest.end, PurchaseRank(copy record, end: end) <= latest.rank { return }
    }
    latest = Period(record: copy record, end: end, standing: standing)
  }
}

extension PaidPeriods.Period {
  var rank: PurchaseRank { PurchaseRank(record, end: end) }
}
