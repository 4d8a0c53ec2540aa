internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

// Contract on linking, section 1.3.
extension Membership {
  /// The values from `ftc_user_id` to `expire_time`, in the order of the statements that write.
  var columns: [SQLValue] {
    [
      .name(primaryID), .name(secondID), .name(tier?.rawValue), .name(cycle?.rawValue),
      .name(storedExpireDate), .name(payMethod.map { PayMethod(stored: $0.rawValue) }?.rawValue),
      .name(details.hostPlanID), .name(details.subscriptionID), .name(details.planID),
      .name(details.licenceID), .flag(autoRenew), .name(details.status?.rawValue),
      .name(originalTransactionID), .number(oldType),
      .number(oldTime),
    ]
  }

  /// The same as they are read afterwards, after the key and the id: `vip_id_alias` is a copy of
  /// `wx_union_id`.
  var columnsAsRead: [SQLValue] {
    var row = columns
    row.insert(row[1], at: 2)
    return row
  }

  /// The values from `compound_id` to `b2b_licence_id` of a copy.
  var snapshotColumns: [SQLValue] { [.name(accountID)] + columns.dropLast(2) }

  /// Reads a row of the select list in `SQLStatement.membershipColumns`.
  init(row: SQLRow) {
    self.init()
    var reader = SQLRowReader(row)
    let vipID = reader.accountID()
    id = reader.name()
    primaryID = reader.accountID()
    secondID = reader.accountID()
    let alias = reader.accountID()
    tier = reader.name().map(Tier.init(rawValue:))
    cycle = reader.name().map(BillingCycle.init(rawValue:))
    storedExpireDate = reader.name()
    payMethod = reader.name().map(PayMethod.init(stored:))
    details.hostPlanID = reader.name()
    details.subscriptionID = reader.name()
    details.planID = reader.name()
    details.licenceID = reader.name()
    autoRenew = reader.flag() ?? false
    details.status = reader.name().map(ProviderStatus.init(rawValue:))
    originalTransactionID = reader.name()
    secondID = secondID ?? alias
    if primaryID == nil, vipID != alias, vipID != secondID { primaryID = vipID }
    if let vipID, vipID != accountID { storedKey = vipID.rawValue }
    readOldColumns(type: reader.number(), time: reader.number())
  }
}
