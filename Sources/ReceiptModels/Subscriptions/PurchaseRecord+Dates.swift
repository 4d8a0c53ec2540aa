#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseRecord {
  /// The moment of this charge; that of the first charge, or else the expiry, where it cannot be read,
  /// so that nothing is from 1970.
  func start(before end: Date) -> Date {
    purchaseDate?.readable ?? originalPurchaseDate?.readable ?? end
  }

  /// Whether this had been bought at a moment; one whose date cannot be read had been.
  ///
  /// Source: contract on signed data, section 8.1.
  func hasBegun(at date: Date) -> Bool {
    guard let start = purchaseDate?.readable ?? originalPurchaseDate?.readable else { return true }
    return start <= date
  }
}

extension Date {
  /// The date, unless it is not a number or lies outside the years 1 to 9999, and so cannot be read.
  var readable: Date? {
    let milliseconds = timeIntervalSince1970 * 1000
    let range = ReceiptMoment.range
    return milliseconds >= Double(range.lowerBound) && milliseconds <= Double(range.upperBound)
      ? self : nil
  }
}
