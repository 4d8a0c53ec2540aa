internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

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
