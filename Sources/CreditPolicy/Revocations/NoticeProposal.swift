internal import ReceiptModels

/// Apple's news about a transaction, beside what is stored about it.
///
/// Source: credit rules, section 6.
public struct NoticeProposal: Hashable, Sendable {
  /// The news.
  public var notice: CreditNotice
  /// The effect of the news.
  public var effect: CreditNotice.Effect
  /// The stored transaction of the same environment and identifier, if there is one.
  public var stored: CreditTransaction?

  /// Creates a proposal.
  public init(
    notice: CreditNotice, effect: CreditNotice.Effect, stored: CreditTransaction?
  ) {
    self.notice = notice
    self.effect = effect
    self.stored = stored
  }

  /// Whether the decision depends on the owner's balance.
  public var needsBalance: Bool {
    !isSuperseded && effect == .clawback && stored?.status == .granted
  }

  /// Whether the decision depends on the entry of the open refund.
  public var needsRefund: Bool {
    !isSuperseded && effect == .restoration && stored?.status == .refunded
  }

  /// The identifier of the entry of the open refund, or of the one to come.
  public var refundEventID: String {
    LedgerEventID.refund(notice.purchase.transactionID, round: round)
  }

  /// Decides by the state of the stored transaction.
  ///
  /// - Parameters:
  ///   - balance: The balance of the transaction's owner; used only if ``needsBalance``.
  ///   - refund: The booking of the open refund (``refundEventID``); used only if ``needsRefund``. Without
  ///     it, nothing is given back.
  /// - Returns: The decision.
  public func decision(balance: Int, refund: LedgerBooking?) -> NoticeDecision {
    guard !isSuperseded else { return NoticeDecision(.superseded) }
    return switch effect {
    case .clawback: clawback(balance: balance)
    case .restoration: restoration(of: refund)
    }
  }

  /// Whether Apple signed a newer notification that had an effect on the transaction (step 7).
  private var isSuperseded: Bool {
    guard let last = stored?.lastEventSignedDate else { return false }
    // Dates are stored in milliseconds, so that is how they are compared.
    return Moment(notice.signedDate).milliseconds < Moment(last).milliseconds
  }

  /// The number of the open refund, or of the next one.
  private var round: Int { (stored?.refundRound ?? 0) + 1 }

  private func clawback(balance: Int) -> NoticeDecision {
    guard var row = stored else {
      return NoticeDecision(.pending, transaction: noted(.revokedPending))
    }
    switch row.status {
    case .refunded, .revokedPending: return NoticeDecision(.noChange, transaction: seen(row))
    case .open:
      row.status = .revokedPending
      return NoticeDecision(.pending, transaction: seen(row))
    case .granted:
      let booking = LedgerBooking(clawingBack: row, balance: balance, because: notice, round: round)
      row.status = .refunded
      return NoticeDecision(.clawedBack, transaction: seen(row), booking: booking)
    }
  }

  private func restoration(of refund: LedgerBooking?) -> NoticeDecision {
    guard var row = stored else {
      return NoticeDecision(.cleared, transaction: noted(.open))
    }
    switch row.status {
    case .granted, .open: return NoticeDecision(.noChange, transaction: seen(row))
    case .revokedPending:
      row.status = .open
      return NoticeDecision(.cleared, transaction: seen(row))
    case .refunded:
      let booking = refund.map {
        LedgerBooking(reversing: $0, of: row, because: notice, round: round)
      }
      row.status = .granted
      row.refundRound += 1
      return NoticeDecision(.restored, transaction: seen(row), booking: booking)
    }
  }

  private func noted(_ status: CreditTransaction.Status) -> CreditTransaction {
    seen(CreditTransaction(notice.purchase, status: status))
  }

  private func seen(_ row: CreditTransaction) -> CreditTransaction {
    var row = row
    row.lastEventSignedDate = Moment(notice.signedDate).date
    return row
  }
}
