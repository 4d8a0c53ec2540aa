internal import ReceiptModels

/// The columns of a membership that a change leaves as they are, because nothing else is to be there.
///
/// A word that is not known reads as nil (contract on linking, section 1.3), and would be lost if that
/// nil were written.
struct KeptColumns: OptionSet {
  let rawValue: Int

  static let tier = KeptColumns(rawValue: 1)
  static let cycle = KeptColumns(rawValue: 2)
  static let expireDate = KeptColumns(rawValue: 4)
  static let payMethod = KeptColumns(rawValue: 8)
  static let status = KeptColumns(rawValue: 16)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// The columns that have no known value, before and after; and a pay method that stays.
  init(of row: Membership, after previous: Membership) {
    self = []
    if row.tier == nil, previous.tier == nil { insert(.tier) }
    if row.cycle == nil, previous.cycle == nil { insert(.cycle) }
    if row.expireDate == nil, previous.expireDate == nil { insert(.expireDate) }
    guard row.payMethod == previous.payMethod else { return }
    // Rows of the past say tenpay where ours say wechat.
    insert(.payMethod)
    // An Apple membership has null in the columns of other pay methods.
    if row.status == nil, previous.status == nil, row.payMethod != .apple { insert(.status) }
  }
}
