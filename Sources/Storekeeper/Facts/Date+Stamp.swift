internal import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Date {
  /// The moment as a stamp: rounded once, down to whole milliseconds.
  ///
  /// Stores keep milliseconds. A fraction that is rounded later could look newer than what is stored
  /// of the very same evidence.
  ///
  /// Source: contract on linking, section 4.6.
  var stamp: Date {
    let nearest = StoredMoment.milliseconds(self)
    // A date of whole milliseconds may lie a little below them, as it holds seconds in binary.
    let isRoundedUp = StoredMoment.date(milliseconds: nearest).timeIntervalSince(self) > 0.000_001
    return StoredMoment.date(milliseconds: isRoundedUp ? nearest - 1 : nearest)
  }
}
