internal import LinkPolicy
internal import ReceiptModels

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
