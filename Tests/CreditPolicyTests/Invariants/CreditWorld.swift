import CreditPolicy
import Foundation
import ReceiptModels

/// The records of two users and two transactions of starter packs, with all that the decisions write.
///
/// Both users have the same e-mail identity. Only the order of dates matters to the rules, so the
/// newest event of a transaction is always at ``present``.
struct CreditWorld {
  /// An entry in the ledger.
  struct Entry {
    var booking: LedgerBooking
    var balanceAfter: Int
    /// The transaction; empty for the host's own entries.
    var transactionID: String
  }

  var balances: [AccountID: Int] = ["u1": 0, "u2": 0]
  var rows: [String: CreditTransaction] = [:]
  var entries: [Entry] = []
  /// The transaction by which the identity used its starter pack.
  var claim: String?

  static let present = moment(1_700_000_000_000)

  init() {
    book("bonus", 100, of: "u1")
  }

  /// Adds an entry of the host's own, unless the balance would be below 0.
  mutating func book(_ event: String, _ amount: Int, of user: AccountID) {
    guard balances[user, default: 0] + amount >= 0 else { return }
    let number = entries.count
    apply(
      LedgerBooking(
        userID: user, eventID: "\(event):\(number)",
        changeType: LedgerBooking.ChangeType(rawValue: event), subjectType: event,
        subjectID: "\(number)", amount: amount), transactionID: "")
  }

  /// Asks for the credits of a transaction, and writes what is decided.
  mutating func verify(
    _ transactionID: String, by user: AccountID, isRevoked: Bool = false
  ) -> GrantDecision {
    var purchase = CreditPurchase.of(.welcome, transactionID)
    if isRevoked { purchase.revocationDate = Self.present }
    let proposal = GrantProposal(
      claim: .of(user, .welcome, transactionID), product: .welcome, purchase: purchase)
    let decision = proposal.decision(
      stored: rows[transactionID], isStarterUsed: claim != nil, balance: balances[user, default: 0])
    if case .grant(let row) = decision {
      claim = transactionID
      let stored = store(row)
      if let booking = LedgerBooking(purchase: stored) {
        apply(booking, transactionID: transactionID)
      }
    }
    return decision
  }

  /// Takes news of Apple, and writes what is decided.
  mutating func hear(
    _ type: NotificationType, of transactionID: String, isLate: Bool = false
  ) -> NoticeDecision? {
    guard let effect = CreditNotice.effect(of: type) else { return nil }
    let date = Self.present.addingTimeInterval(isLate ? -1 : 1)
    let notice = CreditNotice.of(
      type, signed: date, purchase: .of(.welcome, transactionID))
    let row = rows[transactionID]
    let proposal = NoticeProposal(notice: notice, effect: effect, stored: row)
    let refund = entries.first { $0.booking.eventID == proposal.refundEventID }
    let decision = proposal.decision(
      balance: row?.userID.flatMap { balances[$0] } ?? 0, refund: refund?.booking)
    if let row = decision.transaction { _ = store(row) }
    for booking in decision.bookings { apply(booking, transactionID: transactionID) }
    return decision
  }

  private mutating func store(_ row: CreditTransaction) -> CreditTransaction {
    var row = row
    row.id = row.id ?? rows.count + 1
    if row.lastEventSignedDate != nil { row.lastEventSignedDate = Self.present }
    rows[row.purchase.transactionID] = row
    return row
  }

  private mutating func apply(_ booking: LedgerBooking, transactionID: String) {
    let balance = balances[booking.userID, default: 0] + booking.amount
    balances[booking.userID] = balance
    entries.append(
      Entry(booking: booking, balanceAfter: balance, transactionID: transactionID))
  }

  /// All that later decisions depend on, and all that the invariants are about.
  var key: String {
    var text = claim ?? ""
    for id in rows.keys.sorted() {
      guard let row = rows[id] else { continue }
      text += "|\(id) \(row.status.rawValue) \(row.userID?.rawValue ?? "") \(row.refundRound)"
      text += row.lastEventSignedDate == nil ? "" : " seen"
    }
    for entry in entries {
      text += "|\(entry.booking.eventID) \(entry.booking.userID.rawValue) \(entry.booking.amount)"
    }
    return text
  }
}
