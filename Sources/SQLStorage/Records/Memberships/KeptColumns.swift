internal import LinkPolicy
internal import ReceiptModels

/// The columns of a membership that a change leaves as they are, because what it would write there says
/// less than what stands there.
struct KeptColumns: OptionSet {
  let rawValue: Int

  /// Rows of the past say `tenpay` where ours say `wechat`.
  static let payMethod = KeptColumns(rawValue: 1)
  /// `vip_type` has no number for a tier that is not known.
  static let oldType = KeptColumns(rawValue: 2)
  /// `expire_time` has no moment for a last day that is none.
  static let oldTime = KeptColumns(rawValue: 4)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// What stays when one membership follows another.
  init(of row: Membership, after previous: Membership) {
    self = []
    if row.payMethod == previous.payMethod { insert(.payMethod) }
    if row.tier == previous.tier, row.tier?.isKnown == false { insert(.oldType) }
    if let text = row.unreadableExpireDate, text == previous.unreadableExpireDate {
      insert(.oldTime)
    }
  }
}
