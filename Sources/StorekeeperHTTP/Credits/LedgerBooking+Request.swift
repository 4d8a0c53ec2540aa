internal import CreditPolicy
internal import JSONValues
internal import ReceiptModels

extension LedgerBooking {
  /// Creates a booking of the host's own from a request.
  ///
  /// The kinds of change of purchases, and events that begin like those of purchases, are refused, after every fault
  /// of a single member. Source: credit rules, section 5.
  init(_ body: RequestObject) throws(Problem) {
    let userID = try body.accountID("userId")
    let eventID = try body.storableText("eventId", limit: 255)
    let changeType = ChangeType(rawValue: try body.storableText("changeType", limit: 64))
    let subjectType = try body.storableText("bizType", limit: 64)
    let subjectID = try body.storableText("bizId", limit: 255)
    self.init(
      userID: userID, eventID: eventID, changeType: changeType, subjectType: subjectType,
      subjectID: subjectID,
      amount: try body.requiredInteger("amount"))
    switch reservedPart {
    case .eventID: throw RequestObject.fault(.reserved, "eventId")
    case .changeType: throw RequestObject.fault(.reserved, "changeType")
    case .environment, nil: break
    }
  }
}
