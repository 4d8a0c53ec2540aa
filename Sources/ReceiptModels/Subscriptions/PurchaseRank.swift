#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The order of transactions: by end, then by purchase date, then by identifier as a number.
///
/// Apple's lists are ascending, descending or unsorted, so their order is never relied on. A
/// missing date comes before any other.
///
/// Source: App Store rules, section 5.5.
package struct PurchaseRank: Comparable {
  var end: Date
  var purchase: Date
  var transactionID: String

  package init(_ record: PurchaseRecord, end: Date?) {
    self.end = end ?? .distantPast
    purchase = record.purchaseDate?.readable ?? .distantPast
    transactionID = record.transactionID
  }

  package static func < (first: PurchaseRank, second: PurchaseRank) -> Bool {
    if first.end != second.end { return first.end < second.end }
    if first.purchase != second.purchase { return first.purchase < second.purchase }
    return TransactionIDs.areInOrder(first.transactionID, second.transactionID)
  }

  /// Returns the indices of records, the latest first.
  static func descending(_ indices: [Int], of records: [PurchaseRecord]) -> [Int] {
    // Ranks are sorted instead of records, which are ten times larger.
    var ranks = indices.map { index in
      (rank: PurchaseRank(records[index], end: records[index].expiresDate), index: index)
    }
    ranks.sort { $0.rank > $1.rank }
    return ranks.map(\.index)
  }
}
