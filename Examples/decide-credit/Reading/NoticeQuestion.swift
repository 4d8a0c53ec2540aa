import CreditPolicy
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

/// Apple's news about a transaction, beside what is stored.
struct NoticeQuestion {
  /// The news and its effect; nil if its type has none.
  var proposal: NoticeProposal?
  var stored: CreditTransaction?
  var balance: Int
  /// The bookings of the open refund and its further shares, if the decision needs them.
  var refunds: [LedgerBooking] = []
  /// The number that a new row gets.
  var nextID: Int

  /// Reads a line; members that it does not know are left out.
  init(_ members: LineMembers) throws(LineFailure) {
    let transaction = try members.transaction()
    let purchase = try members.purchase(transaction)
    let notice = try members.notice(of: transaction, purchase)
    stored = try members.stored(purchase)
    balance = try members.balance()
    nextID = try members.nextID()
    let types = try members.clawbackTypes() ?? CreditNotice.clawbackTypes
    guard let effect = CreditNotice.effect(of: notice.type, clawbackTypes: types) else { return }
    let proposal = NoticeProposal(
      notice: notice, effect: effect, stored: stored,
      partialRefunds: try members.choice("partialRefunds") ?? .whole)
    self.proposal = proposal
    if let stored, proposal.needsRefund {
      refunds = try members.refunds(of: stored, eventID: proposal.refundEventID(share:))
    }
  }

  func answer() throws(LineFailure) -> Answer {
    var answer = Answer(NoticeOutcome.ignoredType.rawValue)
    answer.writes = ["notification"]
    answer.stored = stored
    guard let proposal else { return answer }
    let decision = proposal.decision(
      balance: balance, refund: refunds.first, further: Array(refunds.dropFirst()))
    answer.decision = decision.outcome.rawValue
    if var row = decision.transaction {
      row.id = row.id ?? nextID
      answer.stored = row
      answer.writes.append("transaction")
    }
    var balance = balance
    for booking in decision.bookings {
      let (sum, overflows) = balance.addingReportingOverflow(booking.amount)
      guard !overflows else {
        throw LineFailure(path: "balance", error: "the new balance does not fit in 64 bits")
      }
      balance = sum
      answer.entries.append((booking, sum))
    }
    if let booking = decision.booking {
      answer.ledgerEventID = booking.eventID
      answer.writes += ["account", "entry"]
    }
    return answer
  }
}

extension LineMembers {
  fileprivate func notice(
    of transaction: Transaction, _ purchase: CreditPurchase
  ) throws(LineFailure) -> CreditNotice {
    let name = "notification"
    let members = try required(name, .object, try object(name))
    let news = try required(name, .object, try value(name, ServerNotification.self))
    return CreditNotice(
      type: try members.required("notificationType", .string, news.notificationType),
      notificationUUID: try members.required("notificationUUID", .string, news.notificationUUID),
      signedDate: try members.required("signedDate", .number, news.signedDate),
      purchase: purchase, revocationReason: transaction.revocationReason,
      revocationPercentage: transaction.revocationPercentage)
  }

  fileprivate func clawbackTypes() throws(LineFailure) -> Set<NotificationType>? {
    let types = try value("clawbackTypes", [String].self)
    return types.map { Set($0.map { NotificationType(rawValue: $0) }) }
  }
}
