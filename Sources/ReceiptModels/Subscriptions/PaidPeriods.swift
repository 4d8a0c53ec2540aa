internal import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The paid periods of one original transaction in one environment, separated by standing.
///
/// Both the summary of a history and the stored subscription are derived from them. Source: linking
/// rules, section 4.7, steps 1 to 4; App Store rules, section 8.1.
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
    /// The date at which another product took its place, as far as a purchase of it is known.
    package var replacementDate: Date?
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

  /// Returns all periods with their standings, in ascending order of their ranks.
  package static func all(
    _ records: [PurchaseRecord], end: (PurchaseRecord) -> Date?
  ) -> [Period] {
    let superseding = SupersedingPurchases(records)
    return records.compactMap { record in
      guard let end = end(record) else { return nil }
      return Period(
        record: record, end: end, standing: standing(of: record, endingAt: end, superseding),
        replacementDate: superseding.replacementDate(of: record, endingAt: end))
    }.sorted { $0.rank < $1.rank }
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

/// The order of transactions: by end, then by purchase date, then by identifier as a number.
///
/// Apple's lists are ascending, descending or unsorted, so their order is never relied on. A
/// missing date comes before any other. Source: App Store rules, section 5.5.
package struct PurchaseRank: Comparable {
  var end: Date
  var purchase: Date
  var transactionID: String

  package init(_ record: PurchaseRecord, end: Date?) {
    self.init(end: end, purchaseDate: record.purchaseDate, transactionID: record.transactionID)
  }

  private init(end: Date?, purchaseDate: Date?, transactionID: String) {
    self.end = end ?? .distantPast
    purchase = purchaseDate?.readable ?? .distantPast
    self.transactionID = transactionID
  }

  package static func < (first: PurchaseRank, second: PurchaseRank) -> Bool {
    if first.end != second.end { return first.end < second.end }
    if first.purchase != second.purchase { return first.purchase < second.purchase }
    return TransactionIDs.areInOrder(first.transactionID, second.transactionID)
  }

  /// Returns the indices of records, the latest first.
  static func descending(_ indices: [Int], of records: [PurchaseRecord]) -> [Int] {
    // Ranks are sorted instead of records, which are ten times larger; made of members, so that no record is copied.
    var ranks = indices.map { index in
      (
        rank: PurchaseRank(
          end: records[index].expiresDate, purchaseDate: records[index].purchaseDate,
          transactionID: records[index].transactionID), index: index
      )
    }
    ranks.sort { $0.rank > $1.rank }
    return ranks.map(\.index)
  }
}

/// The purchases that may replace a period of another product.
///
/// A transaction is superseded if another one of the same original identifier and of another
/// product has a later purchase date, strictly before the expiry. Notifications of version 2 never
/// send the old transaction again with its flag. Renewals begin at the expiry and supersede
/// nothing, and a refund of the later purchase does not restore the earlier one. Source: linking
/// rules, section 4.7, step 2.
struct SupersedingPurchases {
  private struct Purchase {
    let date: Date
    let productID: String
    /// The index of the next purchase of another product, or the end index.
    var nextOther: Int
  }

  /// The purchases in ascending order of date; empty if all are of one product.
  private var purchases: [Purchase] = []

  /// - Parameter records: All transactions of one original id in one environment.
  init(_ records: [PurchaseRecord]) {
    guard let first = records.first,
      records.indices.contains(where: { !records[$0].productID.isSameText(as: first.productID) })
    else { return }
    purchases = records.compactMap { record in
      record.purchaseDate?.readable.map {
        Purchase(date: $0, productID: record.productID, nextOther: 0)
      }
    }
    purchases.sort { $0.date < $1.date }
    var next = purchases.endIndex
    for index in purchases.indices.reversed() {
      let following = index + 1
      if following < purchases.endIndex,
        !purchases[index].productID.isSameText(as: purchases[following].productID)
      {
        next = following
      }
      purchases[index].nextOther = next
    }
  }

  /// Whether there are none, as if all are of one product.
  var isEmpty: Bool { purchases.isEmpty }

  /// Returns whether one of the purchases replaced a transaction before its end.
  func supersede(_ record: PurchaseRecord, endingAt end: Date) -> Bool {
    replacementDate(of: record, endingAt: end) != nil
  }

  /// Returns the date at which the first of the purchases replaced a transaction before its end; nil if none did.
  func replacementDate(of record: PurchaseRecord, endingAt end: Date) -> Date? {
    guard !purchases.isEmpty, let date = record.purchaseDate?.readable else { return nil }
    var index = firstIndex(after: date)
    if index < purchases.endIndex,
      purchases[index].productID.isSameText(as: record.productID)
    {
      index = purchases[index].nextOther
    }
    return index < purchases.endIndex && purchases[index].date < end ? purchases[index].date : nil
  }

  /// Returns the index of the first purchase later than a date, by binary search.
  private func firstIndex(after date: Date) -> Int {
    var (low, high) = (purchases.startIndex, purchases.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if purchases[middle].date <= date { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
