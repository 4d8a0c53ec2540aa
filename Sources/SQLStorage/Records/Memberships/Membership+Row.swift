public import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

extension SQLColumns<Membership> {
  /// The columns that `ftc_vip` and `member_snapshot` have in common, as `ftc_vip` names them.
  static let membership = SQLColumns(
    Membership()
  ) { row, column in
    column.accountID("ftc_user_id", &row.primaryID)
    column.accountID("wx_union_id", &row.secondID)
    column.word("member_tier", &row.tier)
    column.word("billing_cycle", &row.cycle)
    column("expire_date", .name(row.storedExpireDate)) { row.storedExpireDate = $0.name }
    let method = row.payMethod.map { PayMethod(stored: $0.rawValue) }
    column("payment_method", .name(method?.rawValue)) {
      row.payMethod = $0.name.map(PayMethod.init(stored:))
    }
    column.name("ftc_plan_id", &row.details.hostPlanID)
    column.name("stripe_subscription_id", &row.details.subscriptionID)
    column.name("stripe_plan_id", &row.details.planID)
    column.name("b2b_licence_id", &row.details.licenceID)
    column.flag("auto_renewal", &row.autoRenew)
    column.word("sub_status", &row.details.status)
    column.name("apple_subscription_id", &row.originalTransactionID)
  }
}

extension PayMethod {
  /// Creates the method of a text in a column; an old name stands for the present one, any other text for itself.
  ///
  /// Rows of earlier programs have `tenpay` for WeChat Pay.
  public init(stored text: String) {
    self = text == "tenpay" ? .wechat : PayMethod(rawValue: text)
  }
}

extension Membership {
  /// The values of a row of `ftc_vip`, in the order of ``SQLStatement/membershipColumns``.
  ///
  /// `vip_id_alias` is a copy of `wx_union_id`.
  func row(id: String?) -> [SQLValue] {
    SQLColumns.membership.values(
      of: self, after: [.name(accountID), .name(id), .name(secondID)],
      and: .number(oldType), .number(oldTime))
  }

  /// Reads a row of ``SQLStatement/membershipColumns``.
  init(row: SQLRow) { self.init(row: row, from: 0) }

  /// Reads such a row from a place on.
  init(row: SQLRow, from place: Int) {
    self.init()
    var reader = SQLRowReader(row, from: place)
    let key = reader.accountID()
    id = reader.name()
    let alias = reader.accountID()
    SQLColumns.membership.read(row, from: place + 3, into: &self)
    secondID = secondID ?? alias
    if primaryID == nil, key != alias, key != secondID { primaryID = key }
    if let key, key != accountID { storedKey = key.rawValue }
    var old = SQLRowReader(row, from: place + 3 + SQLColumns.membership.count)
    readOldColumns(type: old.number(), time: old.number())
  }
}

// The columns vip_type and expire_time of earlier programs.
extension Membership {
  /// `vip_type`: 10 for standard, 100 for premium, 0 for none.
  var oldType: Int {
    switch tier {
    case .standard: 10
    case .premium: 100
    default: 0
    }
  }

  /// `expire_time`: the last second of the last day in UTC, or nil without one.
  var oldTime: Int? {
    expireDate.map { StoredMoment.seconds($0.advanced(byDays: 1).start) - 1 }
  }

  /// Reads tier and last day from a row that has both old columns, and neither of the new ones.
  mutating func readOldColumns(type: Int?, time: Int?) {
    guard tier == nil, storedExpireDate == nil, let type, let time else { return }
    switch type {
    case 10: tier = .standard
    case 100: tier = .premium
    default: return
    }
    expireDate = CalendarDay(StoredMoment.date(seconds: time))
  }
}

/// The columns of a membership that a change leaves as they are, because the new value would say less than
/// the stored one.
struct KeptColumns: OptionSet {
  let rawValue: Int

  /// Rows of earlier programs have `tenpay` where ours have `wechat`.
  static let payMethod = KeptColumns(rawValue: 1)
  /// `vip_type` has no number for an unknown tier.
  static let oldType = KeptColumns(rawValue: 2)
  /// `expire_time` has no moment for a last day that is no date.
  static let oldTime = KeptColumns(rawValue: 4)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// The columns that stay when one membership replaces another.
  init(of row: Membership, after previous: Membership) {
    self = []
    if row.payMethod == previous.payMethod { insert(.payMethod) }
    if row.tier == previous.tier, row.tier?.isKnown == false { insert(.oldType) }
    if let text = row.unreadableExpireDate, text == previous.unreadableExpireDate {
      insert(.oldTime)
    }
  }
}
