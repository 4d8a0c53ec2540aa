public import ReceiptModels

extension Membership {
  /// A field whose stored value may be unknown.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    case tier
    case cycle
    case expireDate
    case payMethod
    case status
  }

  /// Returns the fields whose values are kept although they are unknown, or not a day.
  ///
  /// Source: linking rules, section 1.3.
  public func unknownFields(besides products: ProductMap = [:]) -> [Field] {
    var fields: [Field] = []
    if let tier, !products.knows(tier) { fields.append(.tier) }
    if let cycle, !products.knows(cycle) { fields.append(.cycle) }
    if unreadableExpireDate != nil { fields.append(.expireDate) }
    if payMethod?.isKnown == false { fields.append(.payMethod) }
    if details.status?.isKnown == false { fields.append(.status) }
    return fields
  }
}

/// The stored text of the last day of a membership.
enum LastDay: Hashable, Sendable {
  case day(CalendarDay)
  case unreadable(String)

  /// Reads a day; any other text is kept unchanged.
  init(stored text: String) {
    self = CalendarDay(stored: text).map(LastDay.day) ?? .unreadable(text)
  }

  var day: CalendarDay? { if case .day(let day) = self { day } else { nil } }

  var text: String? { if case .unreadable(let text) = self { text } else { nil } }
}

extension Membership {
  /// The text of the last day for a column; a text that isn't a day is unchanged.
  package var storedExpireDate: String? {
    get { unreadableExpireDate ?? expireDate?.description }
    set {
      switch newValue.map(LastDay.init(stored:)) {
      case .day(let day)?: expireDate = day
      case .unreadable(let text)?: unreadableExpireDate = text
      case nil: expireDate = nil
      }
    }
  }
}
