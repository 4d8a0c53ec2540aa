internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A commitment to twelve periods, each of which is paid when it begins.
///
/// Source: Apple, “Managing the life cycle of monthly subscriptions with a 12-month commitment”.
struct SimulatedCommitment: Hashable, Sendable {
  static let periods = 12

  /// The number of the period that a charge paid for, from 1.
  var period = 1
  /// The length of a period.
  let length: TimeInterval
  /// The end of the last period.
  var end: Date
  /// The price of all periods, in thousandths of the currency unit.
  let price: Int

  /// Creates a commitment that begins at a date.
  init(from start: Date, length: TimeInterval, price: Int) {
    self.length = length
    self.price = price
    end = start.addingTimeInterval(length * Double(Self.periods))
  }

  /// Returns the commitment with the next period, which begins at a date.
  func next(from start: Date) -> SimulatedCommitment {
    var next = self
    next.period += 1
    // By so much as a charge is late, all later periods are.
    next.end = start.addingTimeInterval(length * Double(next.periodsLeft + 1))
    return next
  }

  /// The number of periods that are still to be paid.
  var periodsLeft: Int { Self.periods - period }

  /// The price of a period.
  var periodPrice: Int { price / Self.periods }

  /// The commitment as Apple signs it with a charge.
  var info: TransactionCommitmentInfo {
    var info = TransactionCommitmentInfo()
    info.billingPeriodNumber = period
    info.totalBillingPeriods = Self.periods
    info.commitmentExpiresDate = end
    info.commitmentPrice = price
    return info
  }
}
