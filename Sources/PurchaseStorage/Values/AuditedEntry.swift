public import ReceiptModels

/// An entry in a ledger, as far as an audit adds it up.
///
/// Source: credit rules, section 5.
public struct AuditedEntry: Hashable, Sendable {
  public var id: Int
  public var userID: AccountID
  /// The credits: positive if they were given, negative if they were taken, or 0.
  public var amount: Int
  public var balanceAfter: Int

  /// Creates an entry.
  public init(id: Int, userID: AccountID, amount: Int, balanceAfter: Int) {
    self.id = id
    self.userID = userID
    self.amount = amount
    self.balanceAfter = balanceAfter
  }

  public var place: LedgerPlace { LedgerPlace(userID: userID, id: id) }
}
