/// A decision about the credits of a purchase.
///
/// Source: credit rules, section 2.
public enum GrantDecision: Hashable, Sendable {
  /// The user gets these credits, and the transaction is stored in the state given.
  case grant(CreditTransaction)
  /// The user has got them; the event is that of the ledger's entry.
  case alreadyGranted(ledgerEventID: String)
  /// Nobody gets anything.
  case refuse(GrantRefusal)
}
