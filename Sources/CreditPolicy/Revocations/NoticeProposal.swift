internal import ReceiptModels

/// A store's news about a transaction, beside what is stored about it.
///
/// Source: credit rules, section 6.
public struct NoticeProposal: Hashable, Sendable {
  /// The news.
  public var notice: CreditNotice
  /// The effect of the news.
  public var effect: CreditNotice.Effect
  /// The stored transaction of the same environment and identifier, if there is one.
  public var stored: CreditTransaction?
  /// The rule for refunds of a part of the price.
  public var partialRefunds: PartialRefundRule

  /// Creates a proposal.
  public init(
    notice: CreditNotice, effect: CreditNotice.Effect, stored: CreditTransaction?,
    partialRefunds: PartialRefundRule = .whole
  ) {
    self.notice = notice
    self.effect = effect
    self.stored = stored
    self.partialRefunds = partialRefunds
  }

  /// Whether the decision depends on the owner's balance.
  public var needsBalance: Bool {
    if mayBeLateReversal { return true }
    guard !isSuperseded, effect == .clawback else { return false }
    return stored?.status == .granted || (stored?.status == .refunded && partialRefunds == .share)
  }

  /// Whether the decision depends on the entries of the open refund.
  public var needsRefund: Bool {
    guard stored?.status == .refunded else { return false }
    return mayBeLateReversal
      || (!isSuperseded && (effect == .restoration || partialRefunds == .share))
  }

  /// The identifier of the entry of the open refund, or of the one to come.
  public var refundEventID: String { refundEventID(share: 1) }

  /// Returns the identifier of the entry of a share of the open refund; shares count from 1.
  public func refundEventID(share: Int) -> String {
    LedgerEventID.refund(notice.purchase.transactionID, round: round, share: share)
  }

  /// Decides by the state of the stored transaction.
  ///
  /// A record that no credits can be taken from or given back to stays as it is, with the outcome
  /// `noChange`: a granted transaction without its number, owner or credits, which an audit reports, and
  /// a refunded one without the booking of its refund.
  /// The balance of the transaction's owner is used only if ``needsBalance``, and the booking of the open
  /// refund (``refundEventID``) only if ``needsRefund``, with those of its `further` shares, if Apple refunded the
  /// transaction in several parts.
  public func decision(
    balance: Int, refund: LedgerBooking?, further: [LedgerBooking] = []
  ) -> NoticeDecision {
    let open = refund.map { [$0] + further } ?? []
    // The period before a failed renewal is never revoked, so that this does not tell of a reversal: only a notification does.
    let isUntold = notice.notificationUUID.isEmpty && open.first?.isOfFailedRenewal ?? false
    guard effect != .restoration || !isUntold else { return NoticeDecision(.noChange) }
    guard !isSuperseded else {
      return lateReversal(of: open, balance: balance) ?? NoticeDecision(.superseded)
    }
    return switch effect {
    case .clawback: clawback(balance: balance, open)
    case .restoration: restoration(of: open)
    }
  }

  /// Whether Apple signed a newer notification that had an effect on the transaction (step 7).
  private var isSuperseded: Bool {
    guard let last = stored?.lastEventSignedDate else { return false }
    // Dates are stored in milliseconds, so that is how they are compared.
    return Moment(notice.signedDate).milliseconds < Moment(last).milliseconds
  }

  /// Whether the news is a reversal that comes after news of a refund that the store made later.
  private var mayBeLateReversal: Bool {
    isSuperseded && effect == .restoration && partialRefunds == .share
      && stored?.status == .refunded
  }

  /// The number of the open refund, or of the next one.
  ///
  /// The greatest number is its own successor; the ledger refuses that round's entry the second time,
  /// because each event is booked once.
  private var round: Int {
    let (next, overflows) = (stored?.refundRound ?? 0).addingReportingOverflow(1)
    return overflows ? .max : next
  }

  /// Whether the store counts units, and some are left whose credits may still be given.
  private var leavesUnits: Bool {
    guard partialRefunds == .share, let refunded = notice.refundedUnits else { return false }
    return refunded < notice.purchase.quantity
  }

  private func clawback(balance: Int, _ open: [LedgerBooking]) -> NoticeDecision {
    guard var row = stored else {
      return leavesUnits
        ? NoticeDecision(.noChange)
        : NoticeDecision(.pending, transaction: noted(.revokedPending))
    }
    switch row.status {
    case .revokedPending:
      guard leavesUnits else { return NoticeDecision(.noChange, transaction: seen(row)) }
      row.status = .open
      return NoticeDecision(.cleared, transaction: seen(row))
    case .refunded:
      guard partialRefunds == .share, !open.isEmpty,
        let share = partialRefunds.furtherShare(of: row, because: notice, after: open),
        let booking = LedgerBooking(
          clawingBack: share, of: row, balance: balance, because: notice,
          eventID: refundEventID(share: open.count + 1))
      else { return NoticeDecision(.noChange, transaction: seen(row)) }
      // A refund that finds nothing left is booked as well, for the reversal of those before it.
      return NoticeDecision(
        share > 0 ? .clawedBack : .noChange, transaction: seen(row), booking: booking)
    case .open:
      guard !leavesUnits else { return NoticeDecision(.noChange, transaction: seen(row)) }
      row.status = .revokedPending
      return NoticeDecision(.pending, transaction: seen(row))
    case .granted:
      guard let credits = row.credits,
        let booking = LedgerBooking(
          clawingBack: partialRefunds.credits(of: credits, notice), of: row,
          balance: balance, because: notice, eventID: refundEventID)
      else { return NoticeDecision(.noChange) }
      row.status = .refunded
      return NoticeDecision(.clawedBack, transaction: seen(row), booking: booking)
    }
  }

  private func restoration(of open: [LedgerBooking]) -> NoticeDecision {
    guard var row = stored else {
      return NoticeDecision(.cleared, transaction: noted(.open))
    }
    switch row.status {
    case .granted, .open: return NoticeDecision(.noChange, transaction: seen(row))
    case .revokedPending:
      row.status = .open
      return NoticeDecision(.cleared, transaction: seen(row))
    case .refunded:
      guard let booking = LedgerBooking(reversing: open, of: row, because: notice, round: round)
      else { return NoticeDecision(.noChange) }
      row.status = .granted
      row.refundRound = round
      return NoticeDecision(.restored, transaction: seen(row), booking: booking)
    }
  }

  /// Gives back what the refunds before a late reversal took, and takes again what the refunds after it take; nil if it
  /// is not between two refunds.
  private func lateReversal(of open: [LedgerBooking], balance: Int) -> NoticeDecision? {
    guard mayBeLateReversal, var row = stored, let credits = row.credits, round < .max else {
      return nil
    }
    let moment = Moment(notice.signedDate).milliseconds
    let later = open.filter { $0.detail("revocation_date").map { $0 > moment } ?? false }
    guard !later.isEmpty, later.count < open.count,
      let reversal = LedgerBooking(reversing: open, of: row, because: notice, round: round)
    else { return nil }
    var decision = NoticeDecision(.restored, booking: reversal)
    var balance = [balance, reversal.amount].saturatingSum
    var left = credits
    for (index, refund) in later.enumerated() {
      let share = min(
        left, partialRefunds.credits(of: credits, refund.detail("revocation_percentage")))
      let booking = LedgerBooking(
        again: refund, clawingBack: share, balance: balance,
        eventID: LedgerEventID.refund(
          notice.purchase.transactionID, round: round + 1, share: index + 1))
      left -= share
      balance += booking.amount
      decision.furtherBookings.append(booking)
    }
    row.refundRound = round
    decision.transaction = row
    return decision
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
  /// The bookings to make after that one: the refunds that a reversal which came late does not take back.
  public var furtherBookings: [LedgerBooking]

  /// Creates a decision.
  public init(
    _ outcome: NoticeOutcome, transaction: CreditTransaction? = nil, booking: LedgerBooking? = nil,
    furtherBookings: [LedgerBooking] = []
  ) {
    self.outcome = outcome
    self.transaction = transaction
    self.booking = booking
    self.furtherBookings = furtherBookings
  }

  /// All bookings to make, in their order.
  public var bookings: [LedgerBooking] { (booking.map { [$0] } ?? []) + furtherBookings }
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
