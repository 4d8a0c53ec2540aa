import CreditPolicy
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

/// The decision about a case.
struct Answer {
  var decision: String
  /// The refusal that verify answers with; nil if nothing is refused.
  var refusal: GrantRefusal?
  var creditsAdded: Int?
  var ledgerEventID: String?
  /// The names of the records that are written.
  var writes: [String] = []
  var stored: CreditTransaction?
  /// The new entries of the ledger, each with the balance after it.
  var entries: [(booking: LedgerBooking, balanceAfter: Int)] = []
  /// The balance, which is that after the last entry unless a decision tells it.
  var newBalance: Int? { toldBalance ?? entries.last?.balanceAfter }
  var toldBalance: Int?

  init(_ decision: String) { self.decision = decision }

  init(refusing refusal: GrantRefusal) {
    decision = "refused"
    self.refusal = refusal
  }

  /// One line of JSON, its members in this order.
  var line: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("decision", .string(decision)),
      ("code", refusal.map { .string($0.code) } ?? .null),
      ("reason", refusal?.reason.map { .string($0) } ?? .null),
      ("status", .integer(refusal?.status ?? 200)),
      ("creditsAdded", creditsAdded.map { .integer($0) } ?? .null),
      ("newBalance", newBalance.map { .integer($0) } ?? .null),
      ("ledgerEventId", ledgerEventID.map { .string($0) } ?? .null),
      ("writes", .array(writes.map(JSONValue.string))),
      ("stored", stored.map { TransactionBody($0).json } ?? .null),
      ("entry", entries.first.map(Self.json) ?? .null),
    ]
    if entries.count > 1 {
      members.append(("shares", .array(entries.dropFirst().map(Self.json))))
    }
    return Array(json: members)
  }

  /// An entry with the members of the credit rules, section 3.
  private static func json(_ entry: LedgerBooking, balanceAfter: Int) -> JSONValue {
    .object([
      "event_id": .string(entry.eventID),
      "change_type": .string(entry.changeType.rawValue),
      "biz_type": .string(entry.subjectType),
      "biz_id": .string(entry.subjectID),
      "amount": .integer(entry.amount),
      "balance_after": .integer(balanceAfter),
      "metadata": .object(entry.metadata),
    ])
  }
}

// The answers of verify (credit rules, section 2).
extension GrantRefusal {
  var code: String {
    switch self {
    case .productNotFound: "PAYMENT_PRODUCT_NOT_FOUND"
    case .productMismatch: "PAYMENT_PRODUCT_MISMATCH"
    case .transactionIDMismatch, .appAccountTokenMismatch, .amountOutOfRange:
      "PAYMENT_TRANSACTION_INVALID"
    case .revoked: "PAYMENT_TRANSACTION_REVOKED"
    case .conflict: "PAYMENT_TRANSACTION_CONFLICT"
    case .starterIneligible: "PAYMENT_STARTER_PACK_INELIGIBLE"
    case .pending: "PAYMENT_PURCHASE_PENDING"
    }
  }

  /// The reason that tells the refusals of one code apart.
  var reason: String? {
    switch self {
    case .transactionIDMismatch: "transaction_id_mismatch"
    case .appAccountTokenMismatch: "app_account_token_mismatch"
    case .amountOutOfRange: "amount_out_of_range"
    case .productNotFound, .productMismatch, .revoked, .pending, .conflict, .starterIneligible: nil
    }
  }

  var status: Int {
    switch self {
    case .productNotFound: 404
    case .productMismatch, .transactionIDMismatch, .appAccountTokenMismatch, .amountOutOfRange: 422
    case .revoked, .pending, .conflict, .starterIneligible: 409
    }
  }
}
