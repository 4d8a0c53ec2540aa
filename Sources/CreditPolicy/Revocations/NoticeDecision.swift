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
