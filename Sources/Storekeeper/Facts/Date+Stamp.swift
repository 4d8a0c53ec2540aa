internal import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Date {
  /// The date as a stamp, rounded down to whole milliseconds.
  ///
  /// Stores keep whole milliseconds. An unrounded stamp could look newer than the stored stamp of the same evidence.
  /// Source: linking rules, section 4.6.
  var stamp: Date {
    let nearest = StoredMoment.milliseconds(self)
    // A date holds binary seconds, so whole milliseconds may be stored as slightly less.
    let isRoundedUp = StoredMoment.date(milliseconds: nearest).timeIntervalSince(self) > 0.000_001
    return StoredMoment.date(milliseconds: isRoundedUp ? nearest - 1 : nearest)
  }
}
