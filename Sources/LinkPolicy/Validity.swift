public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Until when something with a last day is valid: the one place that says what "expired" means.
///
/// All days are days of UTC.
///
/// Source: contract on linking, section 1.5, "membership expired" and "subscription expired".
public enum Validity: Hashable, Sendable {
  /// Valid through the end of this day.
  case valid(through: CalendarDay)
  /// The day is past, but automatic renewal keeps it valid through the end of this later one.
  case kept(through: CalendarDay)
  /// Not valid since the beginning of this day.
  case expired(since: CalendarDay)
  /// There is no day; this counts as expired.
  case unknown
  /// What is stored in the place of the day cannot be read; this counts as valid, because somebody may
  /// have paid for it.
  case unreadable

  /// Whether it has ended, or there is no day until which it lasts.
  public var isExpired: Bool {
    switch self {
    case .valid, .kept, .unreadable: false
    case .expired, .unknown: true
    }
  }
}

extension Validity {
  /// The most days that a tolerance can have: a hundred years.
  static let longestTolerance = 36_525

  /// What holds on a day; a tolerance below zero is none.
  init(lastDay: CalendarDay?, renews: Bool, on today: CalendarDay, tolerance: Int) {
    guard let lastDay else {
      self = .unknown
      return
    }
    let days = renews ? min(max(tolerance, 0), Self.longestTolerance) : 0
    let lastKept = lastDay.advanced(byDays: days)
    if today <= lastDay {
      self = .valid(through: lastDay)
    } else if today <= lastKept {
      self = .kept(through: lastKept)
    } else {
      self = .expired(since: lastKept.advanced(byDays: 1))
    }
  }
}

extension Membership {
  /// Whether the membership is valid at a moment, whatever it was paid with.
  ///
  /// - Parameters:
  ///   - now: The moment.
  ///   - options: The settings, for the tolerance of automatic renewal.
  /// - Returns: Until when it is valid, or since when it is not.
  public func validity(at now: Date, options: LinkOptions) -> Validity {
    validity(on: CalendarDay(now), options)
  }

  func validity(on today: CalendarDay, _ options: LinkOptions) -> Validity {
    if unreadableExpireDate != nil { return .unreadable }
    return Validity(
      lastDay: expireDate, renews: autoRenew, on: today, tolerance: options.autoRenewTolerance)
  }
}

extension Subscription {
  /// Whether the subscription is valid at a moment, to the day.
  ///
  /// - Parameters:
  ///   - now: The moment.
  ///   - options: The settings, for the tolerance of automatic renewal.
  /// - Returns: Until when it is valid, or since when it is not.
  public func validity(at now: Date, options: LinkOptions) -> Validity {
    Validity(
      lastDay: lastDay, renews: autoRenewal, on: CalendarDay(now),
      tolerance: options.autoRenewTolerance)
  }

  /// The day in UTC on which it ends.
  var lastDay: CalendarDay { CalendarDay(expiresDate) }
}
