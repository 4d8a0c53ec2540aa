public import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

extension SQLColumns<Membership> {
  /// The columns that `ftc_vip` and `member_snapshot` have in common, as `ftc_vip` names them.
  static let membership = SQLColumns([
    .accountID("ftc_user_id", \.primaryID),
    .accountID("wx_union_id", \.secondID),
    .word("member_tier", \.tier),
    .word("billing_cycle", \.cycle),
    .name("expire_date", \.storedExpireDate),
    SQLColumn(name: "payment_method") { row in
      .name(row.payMethod.map { PayMethod(stored: $0.rawValue) }?.rawValue)
    } read: { value, row in
      row.payMethod = value.name.map(PayMethod.init(stored:))
    },
    .name("ftc_plan_id", \.details.hostPlanID),
    .name("stripe_subscription_id", \.details.subscriptionID),
    .name("stripe_plan_id", \.details.planID),
    .name("b2b_licence_id", \.details.licenceID),
    .flag("auto_renewal", \.autoRenew),
    .word("sub_status", \.details.status),
    .name("apple_subscription_id", \.originalTransactionID),
  ])
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
    [.name(accountID), .name(id), .name(secondID)] + SQLColumns.membership.values(of: self)
      + [.number(oldType), .number(oldTime)]
  }

  /// Reads a row of ``SQLStatement/membershipColumns``.
  init(row: SQLRow) {
    self.init()
    var reader = SQLRowReader(row)
    let key = reader.accountID()
    id = reader.name()
    let alias = reader.accountID()
    SQLColumns.membership.read(Array(row.dropFirst(3)), into: &self)
    secondID = secondID ?? alias
    if primaryID == nil, key != alias, key != secondID { primaryID = key }
    if let key, key != accountID { storedKey = key.rawValue }
    let old = row.suffix(from: 3 + SQLColumns.membership.count).map(\.number)
    readOldColumns(type: old.first ?? nil, time: old.last ?? nil)
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
