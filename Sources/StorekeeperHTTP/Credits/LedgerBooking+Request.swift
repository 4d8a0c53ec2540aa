internal import CreditPolicy
internal import ReceiptModels

extension LedgerBooking {
  /// Creates a booking of the host's own from a request.
  ///
  /// The kinds of change of purchases, and events that begin like those of purchases, are refused.
  ///
  /// Source: credit rules, section 5.
  init(_ body: RequestObject) throws(Problem) {
    let userID = try body.accountID("userId")
    let eventID = try body.storableText("eventId", limit: 255)
    guard !eventID.utf8.starts(with: "payment.apple_iap".utf8) else {
      throw RequestObject.fault(.reserved, "eventId")
    }
    let changeType = ChangeType(rawValue: try body.storableText("changeType", limit: 64))
    guard !ChangeType.allCases.contains(changeType) else {
      throw RequestObject.fault(.reserved, "changeType")
    }
    let bizType = try body.storableText("bizType", limit: 64)
    let bizID = try body.storableText("bizId", limit: 255)
    self.init(
      userID: userID, eventID: eventID, changeType: changeType, bizType: bizType, bizID: bizID,
      amount: try body.integer("amount"))
  }
}
