internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// What one purchase adds to the figures. It follows from its stored records alone, whatever the time is and in whichever
// order they came.

extension MoneyCounts {
  /// Creates what a purchase adds to the figures.
  ///
  /// The records are those of one original transaction ID in one environment, in any order. Purchases that a family
  /// shares were paid by nobody here, and count for nothing; so do outdated charges.
  package init(
    of records: [PurchaseRecord], renewals: [RenewalRecord], environment: AppStoreEnvironment
  ) {
    let paid = records.filter { !$0.isOutdated && !$0.isFamilyShared }
    guard let vendor = paid.first?.vendor else { return }
    var counting = PurchaseCounting(environment: environment, vendor: vendor)
    let charges = PaidCharge.all(of: paid, renewals: renewals)
    counting.count(charges, PaidStretch.all(of: charges))
    counting.countCohort(of: charges)
    for record in paid where record.isOneTime { counting.count(oneTime: record) }
    self = counting.counts
  }
}

/// The counting of one purchase.
private struct PurchaseCounting {
  let environment: AppStoreEnvironment
  let vendor: Vendor
  private(set) var counts = MoneyCounts()

  private mutating func add(
    _ number: Int, _ measure: MoneyFigure.Measure, _ day: Int, _ place: PaidCharge.Place,
    cohort: CalendarMonth? = nil
  ) {
    var figure = MoneyFigure(
      measure, on: CalendarDay(number: day), environment: environment, vendor: vendor,
      productID: place.productID, country: place.country)
    figure.currency = place.currency
    figure.cohort = cohort
    counts.add(number, to: figure)
  }

  /// Counts a standing that begins on one day and ends on another.
  private mutating func add(
    _ number: Int, _ measure: MoneyFigure.Measure, from start: Int, to end: Int,
    _ place: PaidCharge.Place, cohort: CalendarMonth? = nil
  ) {
    guard start < end else { return }
    add(number, measure, start, place, cohort: cohort)
    add(0 &- number, measure, end, place, cohort: cohort)
  }

  mutating func count(_ charges: [PaidCharge], _ stretches: [PaidStretch]) {
    for (index, stretch) in stretches.enumerated() {
      let (earlier, later) = (stretches[..<index], stretches[(index + 1)...])
      let beginning: MoneyFigure.Measure =
        if earlier.contains(where: { $0.end == stretch.start }) {
          .switchedIn
        } else if earlier.contains(where: { $0.end < stretch.start }) {
          .returned
        } else {
          .new
        }
      let end: MoneyFigure.Measure =
        later.contains { $0.start == stretch.end } ? .switchedOut : .lapsed
      add(1, beginning, stretch.start, stretch.place)
      add(1, end, stretch.end, stretch.place)
      for (number, part) in stretch.parts.enumerated() {
        let charge = charges[part.charge]
        if number > 0 { add(1, .renewed, charge.start, stretch.place) }
        add(1, .active, from: part.start, to: part.end, stretch.place)
        let monthly = charge.record.price.map {
          MonthlyPrice.of($0, paidFor: charge.paidDays)
        }
        add(monthly ?? 0, .recurring, from: part.start, to: part.end, stretch.place)
        add(1, .inGrace, from: charge.graceStart ?? charge.end, to: charge.end, stretch.place)
        count(price: charge.record, on: charge.start, charge.place)
        count(refund: charge.record, bought: charge.start, charge.place)
      }
    }
    countChurn(of: stretches)
  }

  /// Counts each month at whose beginning the subscription was active, and at whose end it is not, on the day on which it
  /// lapsed and where it was active before.
  private mutating func countChurn(of stretches: [PaidStretch]) {
    func active(at day: CalendarDay) -> PaidStretch? {
      stretches.last { $0.start <= day.number && day.number < $0.end }
    }
    var lapses: [CalendarMonth: Int] = [:]
    for stretch in stretches {
      let month = CalendarMonth(CalendarDay(number: stretch.end))
      lapses[month] = max(lapses[month] ?? stretch.end, stretch.end)
    }
    for (month, day) in lapses where active(at: month.lastDay) == nil {
      guard let before = active(at: month.advanced(by: -1).lastDay) else { continue }
      add(1, .churned, day, before.place)
    }
  }

  mutating func count(oneTime record: PurchaseRecord) {
    guard let date = record.purchaseDate?.readable ?? record.originalPurchaseDate?.readable else {
      return
    }
    let (day, place) = (CalendarDay(date).number, PaidCharge.Place(record))
    add(1, .sold, day, place)
    count(price: record, on: day, place)
    count(refund: record, bought: day, place)
  }

  private mutating func count(price record: PurchaseRecord, on day: Int, _ place: PaidCharge.Place)
  {
    if let price = record.price {
      add(price, .charged, day, place)
    } else {
      add(1, .unpriced, day, place)
    }
  }

  /// Counts the refund of a charge, if there was one.
  ///
  /// The App Store alone tells; Google's charges end for other reasons too. An upgrade is none.
  private mutating func count(
    refund record: PurchaseRecord, bought start: Int, _ place: PaidCharge.Place
  ) {
    guard vendor == .apple, record.isCancelled, !record.isUpgraded,
      case .refund = SubscriptionState.RevocationCause(record)
    else { return }
    let day = record.cancellationDate?.readable.map { CalendarDay($0).number } ?? start
    add(1, .refunded, day, place)
    add(record.refundedPrice, .refundedAmount, day, place)
  }

  /// Counts the cohort: the month of the first charge that was paid, at the product, in the country and in the currency of
  /// that charge.
  mutating func countCohort(of charges: [PaidCharge]) {
    guard let first = charges.first(where: \.isPaid) else { return }
    let cohort = CalendarMonth(CalendarDay(number: first.start))
    add(1, .cohort, first.start, first.place, cohort: cohort)
    var covered = first.start
    for charge in charges where charge.end > covered {
      let start = max(covered, charge.start)
      add(1, .cohortActive, from: start, to: charge.end, first.place, cohort: cohort)
      covered = charge.end
    }
  }
}

extension PurchaseRecord {
  /// Whether this was bought once, without an end.
  fileprivate var isOneTime: Bool {
    expiresDate == nil && !hasUnreadableExpiry && productType != .autoRenewableSubscription
  }

  /// The part of the price that the App Store gave back: all of it unless a part is told.
  fileprivate var refundedPrice: Int {
    guard let price else { return 0 }
    let share = revocationPercentage.map { min(max($0, 0), 100_000) } ?? 100_000
    // A price has at most a trillion thousandths, so that this fits.
    return (price * share + 50_000) / 100_000
  }
}

/// The price of a period for a month of it.
enum MonthlyPrice {
  /// Returns the price for a month, rounded to thousandths.
  ///
  /// A period of 27 days or more has as many whole months as are nearest to it, and costs the same in each: a year has
  /// 12. A shorter one has as many weeks, of which a year has 52. A period within a day, as in the Sandbox, is a month.
  static func of(_ price: Int, paidFor days: Int) -> Int {
    guard days > 0 else { return price }
    guard days < 27 else {
      let months = max(1, quotient(days * 10_000, by: 304_369))
      return quotient(price, by: months)
    }
    return quotient(price * 52, by: 12 * max(1, quotient(days, by: 7)))
  }

  private static func quotient(_ number: Int, by divisor: Int) -> Int {
    (number + divisor / 2) / divisor
  }
}
