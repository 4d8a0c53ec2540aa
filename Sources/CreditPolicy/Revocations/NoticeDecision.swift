/// A decision about the credits of a transaction, because of Apple's news.
///
/// Source: credit rules, section 6.
public struct NoticeDecision: Hashable, Sendable {
  /// The outcome.
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
