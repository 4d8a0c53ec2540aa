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
