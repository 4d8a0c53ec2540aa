public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The validity of a membership or a subscription: the one definition of "expired".
///
/// It answers whether a membership may be replaced, with a tolerance of 60 days for one that renews. Whether
/// somebody may use what was paid for is another question: ``HeldMembership/grantsAccess(at:)``.
///
/// All days are days of UTC.
///
/// Source: linking rules, section 1.5, "membership expired" and "subscription expired".
public enum Validity: Hashable, Sendable {
  /// Valid through the end of this day.
  case valid(through: CalendarDay)
  /// Past its last day, but kept valid by automatic renewal through the end of this later day.
  case kept(through: CalendarDay)
  /// Expired since the beginning of this day.
  case expired(since: CalendarDay)
  /// Without a last day; this counts as expired.
  case unknown
  /// With a stored last day that can't be read; this counts as valid, because somebody may have paid
  /// for it.
  case unreadable

  /// Whether the last day is past or unknown.
  public var isExpired: Bool {
    switch self {
    case .valid, .kept, .unreadable: false
    case .expired, .unknown: true
    }
  }
}

extension Validity {
  /// The maximum tolerance: a hundred years.
  static let longestTolerance = Duration.days(36_525)

  /// Creates the validity on a day; a negative tolerance counts as zero.
  init(lastDay: CalendarDay?, renews: Bool, on today: CalendarDay, tolerance: Duration) {
    guard let lastDay else {
      self = .unknown
      return
    }
    let kept = renews ? min(max(tolerance, .zero), Self.longestTolerance) : .zero
    let lastKept = lastDay.advanced(byDays: kept.wholeDays)
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
  /// Returns the validity of the membership at a moment, whatever its source.
  public func validity(at now: Date, options: LinkOptions = LinkOptions()) -> Validity {
    validity(on: CalendarDay(now), options)
  }

  /// Returns whether the membership is valid at a moment, so that no other may take its place.
  ///
  /// One that renews stays valid for `LinkOptions.autoRenewTolerance` after its last day, 60 days by default,
  /// and one that was refunded until the end of the day. To ask for access, call
  /// ``HeldMembership/grantsAccess(at:)`` on what the subscription service returns.
  public func isValid(at now: Date, options: LinkOptions = LinkOptions()) -> Bool {
    !validity(at: now, options: options).isExpired
  }

  func validity(on today: CalendarDay, _ options: LinkOptions) -> Validity {
    if unreadableExpireDate != nil { return .unreadable }
    return Validity(
      lastDay: expireDate, renews: autoRenew, on: today, tolerance: options.autoRenewTolerance)
  }
}

extension Subscription {
  /// Returns the validity of the subscription at a moment, to the day.
  public func validity(at now: Date, options: LinkOptions) -> Validity {
    Validity(
      lastDay: lastDay, renews: autoRenewal, on: CalendarDay(now),
      tolerance: options.autoRenewTolerance)
  }

  /// The day in UTC on which it ends.
  var lastDay: CalendarDay { CalendarDay(expiresDate) }
}
