import CreditPolicy
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

// The stored records.
extension LineMembers {
  /// The stored row of a purchase, if there is one.
  func stored(_ purchase: CreditPurchase) throws(LineFailure) -> CreditTransaction? {
    guard let body = try value("stored", TransactionBody.self),
      let members = try object("stored")
    else { return nil }
    var row = body.row
    row.status = try members.required("status", .string, try members.choice("status"))
    if row.status.wasGranted {
      row.id = try members.required("id", .integer, row.id)
      row.userID = try members.required("user_id", .string, row.userID)
      row.productCode = try members.required("product_code", .string, row.productCode)
      row.credits = try members.required("credits", .integer, row.credits)
      row.ledgerEventID = try members.required("ledger_event_id", .string, row.ledgerEventID)
    }
    guard (0...1_000_000_000).contains(row.refundRound) else {
      throw LineFailure(path: members.path("refund_round"), error: "expected 0 to 1000000000")
    }
    guard row.purchase.transactionID.isSameText(as: purchase.transactionID) else {
      throw LineFailure(path: members.path("transaction_id"), error: "expected the signed one")
    }
    guard row.purchase.environment == purchase.environment else {
      throw LineFailure(path: members.path("environment"), error: "expected the signed one")
    }
    return row
  }

  /// The bookings of the open refund of a row and of its further shares.
  func refunds(
    of row: CreditTransaction, eventID: (_ share: Int) -> String
  ) throws(LineFailure) -> [LedgerBooking] {
    let entries = [try required("refund", .object, try object("refund"))] + (try objects("shares"))
    var bookings: [LedgerBooking] = []
    for entry in entries {
      bookings.append(try Self.refund(entry, of: row, eventID: eventID(bookings.count + 1)))
    }
    return bookings
  }

  private static func refund(
    _ entry: LineMembers, of row: CreditTransaction, eventID: String
  ) throws(LineFailure) -> LedgerBooking {
    guard try entry.neededText("event_id").isSameText(as: eventID) else {
      throw LineFailure(path: entry.path("event_id"), error: "expected that of the open refund")
    }
    let user = try entry.required("user_id", .string, row.userID)
    let amount = try entry.required("amount", .integer, try entry.value("amount", Int.self))
    guard amount <= 0 else {
      throw LineFailure(path: entry.path("amount"), error: "expected at most 0")
    }
    let metadata = try entry.object("metadata")
    return LedgerBooking(
      userID: user, environment: row.purchase.environment, eventID: eventID, changeType: .refund,
      subjectType: try entry.text("biz_type") ?? "payment",
      subjectID: try entry.text("biz_id") ?? row.id.map(String.init) ?? "", amount: amount,
      metadata: metadata?.values ?? [:])
  }
}
