extension Membership {
  /// A field whose stored value may be one that nobody knows.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    /// What the membership includes.
    case tier
    /// How often it is paid.
    case cycle
    /// The last day.
    case expireDate
    /// How it was paid for.
    case payMethod
    /// What Stripe says of it.
    case status
  }

  /// The fields whose values are kept as they are although they are not known, or no day.
  ///
  /// Source: contract on linking, section 1.3.
  public var unknownFields: [Field] {
    var fields: [Field] = []
    if tier?.isKnown == false { fields.append(.tier) }
    if cycle?.isKnown == false { fields.append(.cycle) }
    if unreadableExpireDate != nil { fields.append(.expireDate) }
    if payMethod?.isKnown == false { fields.append(.payMethod) }
    if status?.isKnown == false { fields.append(.status) }
    return fields
  }
}

/// What is stored as the last day of a membership.
enum LastDay: Hashable, Sendable {
  case day(CalendarDay)
  case unreadable(String)

  /// A day; anything else is kept as it is.
  init(stored text: String) {
    self = CalendarDay(stored: text).map(LastDay.day) ?? .unreadable(text)
  }

  var day: CalendarDay? { if case .day(let day) = self { day } else { nil } }

  var text: String? { if case .unreadable(let text) = self { text } else { nil } }
}

extension Membership {
  /// The last day as a column holds it; a text that is no day is itself.
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
