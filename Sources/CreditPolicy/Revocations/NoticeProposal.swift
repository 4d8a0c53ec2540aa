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
  /// A record that no credits can be taken from or given back to stays as it is, with the outcome
  /// `noChange`: a granted transaction without its number, owner or credits, which an audit reports, and
  /// a refunded one without the booking of its refund.
  /// The balance of the transaction's owner is used only if ``needsBalance``, and the booking of the open
  /// refund (``refundEventID``) only if ``needsRefund``.
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
  ///
  /// The greatest number is its own successor; the ledger refuses that round's entry the second time,
  /// because each event is booked once.
  private var round: Int {
    let (next, overflows) = (stored?.refundRound ?? 0).addingReportingOverflow(1)
    return overflows ? .max : next
  }

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
      guard
        let booking = LedgerBooking(
          clawingBack: row, balance: balance, because: notice, round: round)
      else { return NoticeDecision(.noChange) }
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
      guard let refund else { return NoticeDecision(.noChange) }
      let booking = LedgerBooking(reversing: refund, of: row, because: notice, round: round)
      row.status = .granted
      row.refundRound = round
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

/// A decision about the credits of a transaction, because of Apple's news.
///
/// Source: credit rules, section 6.
public struct NoticeDecision: Hashable, Sendable {
  public var outcome: NoticeOutcome
  /// The transaction to store, with its new state; nil if it stays as it is.
  public var transaction: CreditTransaction?
  /// The booking to make, if there is one.
  public var booking: LedgerBooking?

  /// Creates a decision.
  public init(
    _ outcome: NoticeOutcome, transaction: CreditTransaction? = nil, booking: LedgerBooking? = nil
  ) {
    self.outcome = outcome
    self.transaction = transaction
    self.booking = booking
  }
}

/// The outcome of a notification for credits, as it is stored.
///
/// Source: credit rules, section 6.
@nonexhaustive
public enum NoticeOutcome: String, Hashable, Sendable, CaseIterable {
  /// Credits were taken back.
  case clawedBack = "clawed_back"
  /// Credits that had been taken back were given again.
  case restored
  /// The transaction is not known yet; it is noted that it was refunded.
  case pending
  /// The note of a refund is taken back.
  case cleared
  /// Nothing was to be done.
  case noChange = "no_change"
  /// Apple signed a newer notification that had an effect.
  case superseded
  /// Notifications of this type have no effect on credits.
  case ignoredType = "ignored_type"
  /// The environment is not one that gets credits.
  case ignoredEnvironment = "ignored_environment"
}
