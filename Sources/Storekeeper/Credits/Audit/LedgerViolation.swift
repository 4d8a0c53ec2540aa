public import CreditPolicy
public import ReceiptModels

/// A place where balances, entries and transactions contradict each other.
///
/// Source: credit rules, section 5.
@nonexhaustive
public enum LedgerViolation: Hashable, Sendable {
  case balanceNegative(AccountID, balance: Int)
  /// A balance is not the sum of the user's entries. The sum is nil if it does not fit in 64 bits.
  case balanceDiffers(AccountID, balance: Int, sum: Int?)
  /// A balance is not that of the user's newest entry.
  case newestBalanceDiffers(AccountID, balance: Int, entryID: Int, balanceAfter: Int)
  /// The balance after an entry is not the sum of the user's entries up to it.
  ///
  /// Reported for a user whose balance is right, and only for the first such entry.
  case balanceAfterDiffers(AccountID, entryID: Int, balanceAfter: Int, sum: Int)
  /// A user has entries, but no account; the sum is nil if it does not fit in 64 bits.
  case accountMissing(AccountID, sum: Int?)
  /// An entry of a purchase, refund or reversal names no transaction of its environment.
  case transactionMissing(Entry)
  /// Credits were given for a transaction, but its row lacks the owner, the credits or the event.
  case transactionIncomplete(Transaction)
  /// The ledger lacks an entry that the state of a transaction demands. Of several, the first is reported.
  case entryMissing(Transaction, LedgerBooking.ChangeType, eventID: String)
  /// The ledger has an entry that the state of a transaction excludes.
  ///
  /// Such are the purchase of a transaction that was not granted, a second purchase, a refund that is not
  /// open, and a reversal without a refund.
  case entryUnexpected(Transaction, Entry)
  /// An entry is in the ledger of a user who does not own the transaction.
  case ownerDiffers(Transaction, Entry)
  /// The amount of an entry is not the expected one.
  ///
  /// A refund may take any amount from 0 to the expected one.
  case amountDiffers(Transaction, Entry, expected: Int)

  /// An entry, as far as it tells where to look.
  public struct Entry: Hashable, Sendable {
    public var id: Int
    public var userID: AccountID
    /// The environment; nil for an entry of the host's own.
    public var environment: AppStoreEnvironment?
    public var eventID: String
    public var changeType: LedgerBooking.ChangeType
    /// The number of the transaction, as the entry names it.
    public var subjectID: String
    public var amount: Int
  }

  /// A transaction, as far as it tells where to look.
  public struct Transaction: Hashable, Sendable {
    public var id: Int
    public var environment: AppStoreEnvironment
    public var transactionID: String
    public var status: CreditTransaction.Status
    public var userID: AccountID?
  }
}
