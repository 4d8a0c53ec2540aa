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

  /// The columns that have the same before and after.
  init(of row: Membership, after previous: Membership) {
    self = []
    if row.tier == previous.tier { insert(.tier) }
    if row.cycle == previous.cycle { insert(.cycle) }
    if row.expireDate == previous.expireDate { insert(.expireDate) }
    guard row.payMethod == previous.payMethod else { return }
    insert(.payMethod)
    // An Apple membership has null in the columns of other pay methods.
    if row.status == previous.status, row.payMethod != .apple { insert(.status) }
  }
}
