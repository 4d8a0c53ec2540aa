internal import CreditPolicy
internal import JSONValues
internal import PurchaseStorage

/// An entry that the ledger must have because of the state of a transaction, or may have: the further shares of a
/// refund.
///
/// Source: credit rules, sections 3, 5, 6 and 10.
enum DemandedEntry: Hashable {
  case purchase
  /// A share of the refund of a round; both count from 1.
  case refund(round: Int, share: Int = 1)
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
    case .refund(let round, let share):
      LedgerEventID.refund(transactionID, round: round, share: share)
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
    func numbers(after first: DemandedEntry) -> (round: Int, share: Int) {
      Self.round(in: entry.eventID.utf8.dropFirst(first.eventID(id).utf8.count))
    }
    let demanded: DemandedEntry
    switch entry.changeType {
    case .purchase: demanded = .purchase
    case .refund:
      let (round, share) = numbers(after: .refund(round: 1))
      demanded = .refund(round: round, share: share)
    case .refundReversal:
      demanded = .reversal(round: numbers(after: .reversal(round: 1)).round)
    default: return nil
    }
    let round = demanded.round
    let last = demanded.changeType == .refund ? row.lastRefund : row.refundRound
    guard demanded.eventID(id).isSameText(as: entry.eventID),
      demanded == .purchase || (round >= 1 && round <= last)
    else { return nil }
    self = demanded
  }

  private var round: Int {
    switch self {
    case .purchase: 0
    case .refund(let round, _), .reversal(let round): round
    }
  }

  /// Reads the end of an event, such as `:2` or `:1.2`; a number that isn't there is 1.
  private static func round(in end: Substring.UTF8View) -> (round: Int, share: Int) {
    let numbers = Substring(end.dropFirst()).split(
      separator: ".", omittingEmptySubsequences: false
    ).map { Int($0) ?? 1 }
    return (numbers.first ?? 1, numbers.count > 1 ? numbers[1] : 1)
  }
}

extension CreditTransaction {
  /// The number of refunds, the open one included.
  fileprivate var lastRefund: Int {
    let (sum, overflows) = refundRound.addingReportingOverflow(status == .refunded ? 1 : 0)
    return overflows ? refundRound : sum
  }
}
