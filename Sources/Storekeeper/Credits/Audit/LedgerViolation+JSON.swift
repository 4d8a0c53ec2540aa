internal import CreditPolicy
public import JSONValues
public import ReceiptModels

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
