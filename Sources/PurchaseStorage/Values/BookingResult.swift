public import CreditPolicy
public import ReceiptModels

/// The result of a booking in a user's ledger.
public enum BookingResult: Hashable, Sendable {
  case booked(LedgerEntry)
  /// The balance would be below 0.
  case insufficient(balance: Int)
  /// The balance would not fit in 64 bits.
  case outOfRange(balance: Int)
}

/// The account of a user's credits, as it is stored.
///
/// Source: credit rules, section 5.
public struct CreditAccount: Hashable, Sendable {
  public var userID: AccountID
  /// The balance, at least 0.
  public var balance: Int

  /// Creates an account.
  public init(userID: AccountID, balance: Int) {
    self.userID = userID
    self.balance = balance
  }
}

/// A place in the entries of all users, in the order of the bytes of the user and then of the entries'
/// numbers.
public struct LedgerPlace: Hashable, Sendable {
  public var userID: AccountID
  public var id: Int

  /// Creates a place.
  public init(userID: AccountID, id: Int) {
    self.userID = userID
    self.id = id
  }
}
