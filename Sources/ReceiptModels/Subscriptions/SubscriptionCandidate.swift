#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A stored transaction of which a subscription can be made: of a known product, with an expiry.
///
/// Source: contract on linking, section 4.7, steps 1, 2 and 4.
struct SubscriptionCandidate {
  /// What became of it, the best first: one that is set aside counts only where there is none before.
  enum Standing: Comparable {
    /// The customer has it, or had it until its end.
    case kept
    /// Apple refunded or revoked it.
    case cancelled
    /// Another subscription replaced it; by its own flag, whether it has a cancellation date or not.
    case upgraded
  }

  let record: PurchaseRecord
  let expiry: Date
  /// When it was charged; the first charge, or else the expiry, where that cannot be read, so that
  /// nothing is from 1970.
  let purchase: Date

  /// Step 1; nil unless it is a candidate.
  init?(_ record: PurchaseRecord, products: ProductMap) {
    guard products[record.productID] != nil, let expiry = record.expiresDate?.readable else {
      return nil
    }
    self.record = record
    self.expiry = expiry
    purchase =
      record.purchaseDate?.readable ?? record.originalPurchaseDate?.readable ?? expiry
  }

  /// Step 2.
  var standing: Standing {
    if record.isUpgraded { return .upgraded }
    return record.isCancelled ? .cancelled : .kept
  }

  /// Step 3.
  var rank: PurchaseRank {
    var rank = PurchaseRank(record, end: expiry)
    rank.purchase = record.purchaseDate?.readable ?? .distantPast
    return rank
  }

  /// Step 4: when it ends, which is never after its expiry; the successor's date is asked for only
  /// where it counts.
  func effectiveEnd(successor: () -> Date?) -> Date {
    if let cancellation = record.cancellationDate?.readable { return min(expiry, cancellation) }
    if record.isCancelled { return min(expiry, purchase) }
    return record.isUpgraded ? min(expiry, successor() ?? purchase) : expiry
  }

  /// When the next transaction of the group was charged; without a group, the next of the same
  /// original id.
  func successor(among records: [PurchaseRecord]) -> Date? {
    let own = Place(date: purchase, transactionID: record.transactionID)
    return records.lazy.filter(isOfSameGroup).compactMap(Place.init).filter { own < $0 }.min()?.date
  }

  private func isOfSameGroup(_ other: PurchaseRecord) -> Bool {
    guard (other.environment ?? record.environment) == (record.environment ?? other.environment)
    else { return false }
    guard let group = record.subscriptionGroupID else {
      return other.originalTransactionID.isSameText(as: record.originalTransactionID)
    }
    return other.subscriptionGroupID?.isSameText(as: group) == true
  }
}

/// The place of a transaction in the order of charges.
private struct Place: Comparable {
  var date: Date
  var transactionID: String

  init(date: Date, transactionID: String) {
    self.date = date
    self.transactionID = transactionID
  }

  init?(_ record: PurchaseRecord) {
    guard let date = record.purchaseDate?.readable else { return nil }
    self.init(date: date, transactionID: record.transactionID)
  }

  static func < (first: Place, second: Place) -> Bool {
    if first.date != second.date { return first.date < second.date }
    return TransactionIDs.areInOrder(first.transactionID, second.transactionID)
  }
}

extension Date {
  /// The date, unless it is no number or outside the years 1 to 9999, and so cannot be read.
  fileprivate var readable: Date? {
    let milliseconds = timeIntervalSince1970 * 1000
    let range = ReceiptMoment.range
    return milliseconds >= Double(range.lowerBound) && milliseconds <= Double(range.upperBound)
      ? self : nil
  }
}
