internal import PurchaseStorage
internal import ReceiptModels

// Contract on linking, section 1.3.
extension Membership {
  /// The values from `ftc_user_id` to `expire_time`, in the order of the statements that write.
  var columns: [SQLValue] {
    [
      .name(ftcID), .name(unionID), .name(tier?.rawValue), .name(cycle?.rawValue),
      .name(storedExpireDate), .name(payMethod.map { PayMethod(stored: $0.rawValue) }?.rawValue),
      .name(ftcPlanID), .name(stripeSubsID), .name(stripePlanID), .name(b2bLicenceID),
      .flag(autoRenew), .name(status?.rawValue), .name(appleSubsID), .number(oldType),
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
  var snapshotColumns: [SQLValue] { [.text(compoundID)] + columns.dropLast(2) }

  /// Reads a row of the select list in `SQLStatement.membershipColumns`.
  init(row: SQLRow) {
    self.init()
    var reader = SQLRowReader(row)
    let vipID = reader.name()
    id = reader.name()
    ftcID = reader.name()
    unionID = reader.name()
    let alias = reader.name()
    tier = reader.name().map(Tier.init(rawValue:))
    cycle = reader.name().map(BillingCycle.init(rawValue:))
    storedExpireDate = reader.name()
    payMethod = reader.name().map(PayMethod.init(stored:))
    ftcPlanID = reader.name()
    stripeSubsID = reader.name()
    stripePlanID = reader.name()
    b2bLicenceID = reader.name()
    autoRenew = reader.flag() ?? false
    status = reader.name().map(StripeSubscriptionStatus.init(rawValue:))
    appleSubsID = reader.name()
    unionID = unionID ?? alias
    if ftcID == nil, vipID != alias, vipID != unionID { ftcID = vipID }
    if let vipID, vipID != compoundID { storedKey = vipID }
    readOldColumns(type: reader.number(), time: reader.number())
  }
}
