internal import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The purchases that may replace a period of another product.
///
/// A transaction is superseded if another one of the same original identifier and of another
/// product has a later purchase date, strictly before the expiry. Notifications of version 2 never
/// send the old transaction again with its flag. Renewals begin at the expiry and supersede
/// nothing, and a refund of the later purchase does not restore the earlier one.
///
/// Source: linking rules, section 4.7, step 2.
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
      records.contains(where: { !$0.productID.isSameText(as: first.productID) })
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
    guard !purchases.isEmpty, let date = record.purchaseDate?.readable else { return false }
    var index = firstIndex(after: date)
    if index < purchases.endIndex,
      purchases[index].productID.isSameText(as: record.productID)
    {
      index = purchases[index].nextOther
    }
    return index < purchases.endIndex && purchases[index].date < end
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
