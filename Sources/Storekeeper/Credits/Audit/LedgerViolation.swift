public import CreditPolicy
public import JSONValues
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

extension LedgerViolation {
  public var userID: AccountID? {
    switch self {
    case .balanceNegative(let user, _), .balanceDiffers(let user, _, _),
      .newestBalanceDiffers(let user, _, _, _), .balanceAfterDiffers(let user, _, _, _),
      .accountMissing(let user, _):
      user
    case .transactionMissing(let entry), .entryUnexpected(_, let entry),
      .ownerDiffers(_, let entry), .amountDiffers(_, let entry, _):
      entry.userID
    case .transactionIncomplete(let transaction), .entryMissing(let transaction, _, _):
      transaction.userID
    }
  }

  /// The name of the case, in lower case with underscores.
  public var name: String {
    switch self {
    case .balanceNegative: "balance_negative"
    case .balanceDiffers: "balance_differs"
    case .newestBalanceDiffers: "newest_balance_differs"
    case .balanceAfterDiffers: "balance_after_differs"
    case .accountMissing: "account_missing"
    case .transactionMissing: "transaction_missing"
    case .transactionIncomplete: "transaction_incomplete"
    case .entryMissing: "entry_missing"
    case .entryUnexpected: "entry_unexpected"
    case .ownerDiffers: "owner_differs"
    case .amountDiffers: "amount_differs"
    }
  }

  /// The violation as a JSON object: `violation`, which is the ``name``, `user_id` if there is one, and
  /// the values of the case; `sum` is null if it does not fit in 64 bits.
  public var json: JSONValue {
    var members = values
    members["violation"] = .string(name)
    members["user_id"] = userID.map { .string($0.rawValue) }
    return .object(members)
  }

  private var values: [String: JSONValue] {
    switch self {
    case .balanceNegative(_, let balance): ["balance": .integer(balance)]
    case .balanceDiffers(_, let balance, let sum):
      ["balance": .integer(balance), "sum": sum.map { .integer($0) } ?? .null]
    case .newestBalanceDiffers(_, let balance, let entryID, let balanceAfter):
      [
        "balance": .integer(balance), "entry_id": .integer(entryID),
        "balance_after": .integer(balanceAfter),
      ]
    case .balanceAfterDiffers(_, let entryID, let balanceAfter, let sum):
      [
        "entry_id": .integer(entryID), "balance_after": .integer(balanceAfter),
        "sum": .integer(sum),
      ]
    case .accountMissing(_, let sum): ["sum": sum.map { .integer($0) } ?? .null]
    case .transactionMissing(let entry): ["entry": entry.json]
    case .transactionIncomplete(let transaction): ["transaction": transaction.json]
    case .entryMissing(let transaction, let changeType, let eventID):
      [
        "transaction": transaction.json, "change_type": .string(changeType.rawValue),
        "event_id": .string(eventID),
      ]
    case .entryUnexpected(let transaction, let entry), .ownerDiffers(let transaction, let entry):
      ["transaction": transaction.json, "entry": entry.json]
    case .amountDiffers(let transaction, let entry, let expected):
      [
        "transaction": transaction.json, "entry": entry.json, "expected": .integer(expected),
      ]
    }
  }
}

extension LedgerViolation.Entry {
  fileprivate var json: JSONValue {
    .object([
      "id": .integer(id), "user_id": .string(userID.rawValue),
      "environment": .string(environment?.rawValue ?? ""), "event_id": .string(eventID),
      "change_type": .string(changeType.rawValue), "biz_id": .string(subjectID),
      "amount": .integer(amount),
    ])
  }
}

extension LedgerViolation.Transaction {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "id": .integer(id), "environment": .string(environment.rawValue),
      "transaction_id": .string(transactionID), "status": .string(status.rawValue),
    ]
    members["user_id"] = userID.map { .string($0.rawValue) }
    return .object(members)
  }
}
