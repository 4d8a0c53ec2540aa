internal import CreditPolicy
internal import JSONValues
internal import PurchaseStorage

/// An entry that the ledger must have because of the state of a transaction.
///
/// Source: credit rules, sections 3, 5 and 6.
enum DemandedEntry: Hashable {
  case purchase
  /// The refund of a round, from 1.
  case refund(round: Int)
  case reversal(round: Int)

  var changeType: LedgerBooking.ChangeType {
    switch self {
    case .purchase: .purchase
    case .refund: .refund
    case .reversal: .refundReversal
    }
  }

  func eventID(_ transactionID: String) -> String {
    switch self {
    case .purchase: LedgerEventID.purchase(transactionID)
    case .refund(let round): LedgerEventID.refund(transactionID, round: round)
    case .reversal(let round): LedgerEventID.refundReversal(transactionID, round: round)
    }
  }

  /// Returns the entries that a transaction demands, in the order in which they were booked: the purchase, then
  /// the refund and the reversal of each round.
  ///
  /// The last refund of a refunded transaction has no reversal. The sequence is lazy, because a transaction may
  /// have any number of rounds.
  static func all(of row: CreditTransaction) -> some Sequence<DemandedEntry> {
    let (refunds, reversals) = (row.lastRefund, row.refundRound)
    return sequence(state: 0) { (index: inout Int) -> DemandedEntry? in
      defer { index += 1 }
      guard index > 0 else { return row.status.wasGranted ? .purchase : nil }
      let round = (index + 1) / 2
      if index.isMultiple(of: 2) { return round <= reversals ? .reversal(round: round) : nil }
      return round <= refunds ? .refund(round: round) : nil
    }
  }

  /// Creates the entry that a transaction demands and that this one is, or nil if it demands none such.
  init?(_ entry: LedgerAuditRow, of row: CreditTransaction) {
    guard row.status.wasGranted else { return nil }
    let id = row.purchase.transactionID
    let round = Self.round(of: entry.eventID)
    let demanded: DemandedEntry
    switch entry.changeType {
    case .purchase: demanded = .purchase
    case .refund: demanded = .refund(round: round)
    case .refundReversal: demanded = .reversal(round: round)
    default: return nil
    }
    let last = demanded.changeType == .refund ? row.lastRefund : row.refundRound
    guard demanded.eventID(id).isSameText(as: entry.eventID),
      demanded == .purchase || (round >= 1 && round <= last)
    else { return nil }
    self = demanded
  }

  /// The number after the second colon, or 1.
  private static func round(of eventID: String) -> Int {
    let parts = eventID.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count > 2 ? parts.last.flatMap { Int($0) } ?? 1 : 1
  }
}

extension CreditTransaction {
  /// The number of refunds, the open one included.
  fileprivate var lastRefund: Int {
    let (sum, overflows) = refundRound.addingReportingOverflow(status == .refunded ? 1 : 0)
    return overflows ? refundRound : sum
  }
}
