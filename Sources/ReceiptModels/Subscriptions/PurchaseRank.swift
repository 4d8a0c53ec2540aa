#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The order of transactions: by end, then by purchase, then by identifier as a number.
///
/// Lists of Apple's come ascending, descending and unsorted; their order is never relied on. A
/// missing date comes before any other.
///
/// Source: contract on signed data, section 5.5.
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

  /// The places of records, the latest first.
  static func descending(_ places: [Int], of records: [PurchaseRecord]) -> [Int] {
    // Ranks are sorted in place of records, which are ten times larger.
    var ranks = places.map { place in
      (rank: PurchaseRank(records[place], end: records[place].expiresDate), place: place)
    }
    ranks.sort { $0.rank > $1.rank }
    return ranks.map(\.place)
  }
}
