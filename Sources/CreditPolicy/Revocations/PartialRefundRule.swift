internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The credits that a refund of a part of the price takes back.
///
/// Source: credit rules, sections 6 and 10.
public enum PartialRefundRule: String, Hashable, Sendable, CaseIterable {
  /// All credits of the purchase.
  case whole
  /// The refunded share of the credits, rounded up to whole credits.
  ///
  /// The shares of a transaction add up, to the whole at most. A refund without a percentage, or with one that isn't
  /// between 0 and 100, takes what is left.
  case share

  /// The number of units in 100 percent: percentages are in thousandths of a percent.
  private static let hundredPercent = 100_000

  /// Returns the part of credits that a refund takes; where units are counted, that is all that refunds have taken up
  /// to now.
  func credits(of credits: Int, _ notice: CreditNotice) -> Int {
    guard self == .share else { return credits }
    if let units = notice.refundedUnits {
      let perUnit = credits / max(1, notice.purchase.quantity)
      return units < notice.purchase.quantity ? perUnit * max(0, units) : credits
    }
    return self.credits(of: credits, notice.revocationPercentage)
  }

  /// Returns the part of credits that a refund of thousandths of a percent takes.
  func credits(of credits: Int, _ percentage: Int?) -> Int {
    guard self == .share, let percentage, (1..<Self.hundredPercent).contains(percentage) else {
      return credits
    }
    // Neither product is greater than the credits, or than 100 percent of 100 percent.
    let (thousands, rest) = credits.quotientAndRemainder(dividingBy: Self.hundredPercent)
    return thousands * percentage + (rest * percentage + Self.hundredPercent - 1)
      / Self.hundredPercent
  }

  /// Returns the credits that one more refund takes after the open ones; nil if it is one of them, or if nothing is left
  /// and no reversal will ask for it.
  ///
  /// Apple's refunds are told apart by their revocation dates, because it may tell of one in several notifications.
  func furtherShare(
    of row: CreditTransaction, because notice: CreditNotice, after open: [LedgerBooking]
  ) -> Int? {
    guard let credits = row.credits else { return nil }
    let refunded = open.flatMap { booking in
      ["clawed_back", "shortfall"].compactMap { booking.detail($0) }
    }.saturatingSum
    var share = self.credits(of: credits, notice)
    if notice.refundedUnits != nil {
      share -= refunded
    } else {
      let date = notice.purchase.revocationDate.map { Moment($0).milliseconds }
      guard !open.contains(where: { $0.detail("revocation_date") == date }) else { return nil }
      share = max(0, min(share, credits - refunded))
      if date != nil { return share }
    }
    return share > 0 ? share : nil
  }
}

extension LedgerBooking {
  /// Returns a whole number of the details that are told about a transaction.
  func detail(_ name: String) -> Int? {
    if case .integer(let number)? = metadata["ext"]?[name] { number } else { nil }
  }
}

extension Sequence<Int> {
  /// The sum, or the greatest number that fits in 64 bits.
  var saturatingSum: Int {
    reduce(0) { sum, number in
      let (next, overflows) = sum.addingReportingOverflow(number)
      return overflows ? .max : next
    }
  }
}
