#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A charge for a period, in days: those in which it begins and ends.
struct PaidCharge {
  /// What figures are told apart by.
  struct Place: Hashable {
    var productID: String
    var country: String
    var currency: String

    init(_ record: PurchaseRecord) {
      productID = record.productID
      country = record.country ?? ""
      currency = record.currency ?? ""
    }
  }

  let record: PurchaseRecord
  let standing: PaidPeriods.Standing
  var place: Place
  let start: Int
  /// The end of what was paid, whatever became of it.
  let paidEnd: Int
  /// The end of what it gives: with the time of grace, or at a refund, or where another product takes its place.
  private(set) var end: Int
  /// The beginning of the time of grace before the end; nil without one.
  private(set) var graceStart: Int?
  /// The days that its price pays for, which are more than it lasts if it was paid late.
  private(set) var paidDays = 0

  /// Whether money was paid for it, as far as anybody knows.
  var isPaid: Bool { record.price.map { $0 > 0 } ?? (record.isTrialPeriod != true) }

  /// Returns the charges of a purchase in the order of their beginnings.
  ///
  /// What counts, and what takes whose place, is the answer of ``PaidPeriods``.
  static func all(of records: [PurchaseRecord], renewals: [RenewalRecord]) -> [PaidCharge] {
    let end: (PurchaseRecord) -> Date? = { $0.expiresDate?.readable }
    let periods = PaidPeriods.all(records, end: end)
    let latest = PaidPeriods(records, end: end)
    let grace = PurchaseHistory.gracePeriodEnd(after: latest, among: renewals)
    let last = (latest.kept ?? latest.cancelled)?.record
    var charges: [PaidCharge] = []
    for (index, period) in periods.enumerated() {
      // Google names no dates of renewals: each follows the period before it.
      let before = periods[..<index].last { $0.end < period.end }?.end
      let start =
        period.record.purchaseDate?.readable ?? before ?? period.record.start(before: period.end)
      let isLast = period.record.transactionID == last?.transactionID
      charges.append(
        PaidCharge(
          period, from: min(start, period.end),
          grace: isLast ? GraceTime(grace, of: period.record, renewals) : nil))
    }
    fill(&charges)
    // Sorting is stable: those of one day stay in the order of their ends.
    charges.sort { $0.start < $1.start }
    for index in charges.indices { findPaidDays(of: index, in: &charges) }
    return charges
  }

  /// Finds the days that a charge pays for.
  ///
  /// A subscription whose renewal is paid in its time of grace keeps its dates: the period is the shorter, at the same
  /// price. With Apple's it is a whole one from the end of the one before it; Google has moved that end, so that both
  /// together are two. Source: Apple, "Reducing involuntary subscriber churn"; Google Play Billing, "Subscription
  /// lifecycle".
  private static func findPaidDays(of index: Int, in charges: inout [PaidCharge]) {
    let charge = charges[index]
    charges[index].paidDays =
      (charge.graceStart.map { min($0, charge.paidEnd) } ?? charge.paidEnd) - charge.start
    let isWhole = charges[index].paidDays.isWholePeriod
    let before = charges[..<index].lastIndex {
      $0.record.productID == charge.record.productID && $0.standing == .kept
        && $0.paidEnd <= charge.start && charge.start - $0.paidEnd <= longestGrace
    }
    if let before {
      let (start, end) = (charges[before].start, charges[before].paidEnd)
      let both = charge.paidEnd - start
      if end < charge.start, (charge.paidEnd - end).isWholePeriod,
        !isWhole || charge.keepsTime(of: charges[before]),
        // Who comes back with an offer, or from another product, was not in grace.
        charge.isPaid, charge.record.offer == nil,
        !charges[..<index].contains(where: { end <= $0.start && $0.start < charge.start })
      {
        charges[index].paidDays = charge.paidEnd - end
        charges[before].end = charge.start
        charges[before].graceStart = end
        return
      }
      if !isWhole, charge.record.vendor == .google, end == charge.start,
        !(end - start).isWholePeriod, (both / 2).isWholePeriod
      {
        charges[index].paidDays = both - both / 2
        charges[before].paidDays = both / 2
        return
      }
    }
    guard !isWhole else { return }
    let same = charges[..<index].last {
      $0.record.productID == charge.record.productID && $0.record.price == charge.record.price
        && $0.record.planID == charge.record.planID && $0.paidDays.isWholePeriod
    }
    // A longer one was extended.
    if let same { charges[index].paidDays = max(charges[index].paidDays, same.paidDays) }
  }

  /// Whether it ends at the time of day at which another did, and did not begin at it.
  private func keepsTime(of other: PaidCharge) -> Bool {
    func time(_ date: Date?) -> Double? {
      date?.readable.map { $0.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) }
    }
    let end = time(record.expiresDate)
    return end != nil && end == time(other.record.expiresDate) && end != time(record.purchaseDate)
  }

  /// The longest time of grace that a store has, in days.
  private static let longestGrace = 30

  /// A time of grace.
  private struct GraceTime {
    let end: Date
    /// The moment since which it is known to be one.
    let toldDate: Date?

    init?(_ end: Date?, of record: PurchaseRecord, _ renewals: [RenewalRecord]) {
      guard let end else { return nil }
      self.end = end
      toldDate = PurchaseHistory.renewal(of: record, among: renewals)?.signedDate
    }
  }

  private init(_ period: PaidPeriods.Period, from start: Date, grace: GraceTime?) {
    record = period.record
    standing = period.standing
    place = Place(period.record)
    let begin = CalendarDay(start).number
    self.start = begin
    let paidEnd = CalendarDay(period.end).number
    self.paidEnd = paidEnd
    switch period.standing {
    case .kept:
      guard let grace else { (end, graceStart) = (max(begin, paidEnd), nil); return }
      let graceEnd = CalendarDay(grace.end).number
      end = max(begin, paidEnd, graceEnd)
      if period.end < grace.end {
        graceStart = paidEnd
      } else {
        // Google moves the end of the period itself.
        graceStart =
          period.end == grace.end ? grace.toldDate.map { max(begin, CalendarDay($0).number) } : nil
      }
    case .cancelled:
      let date = period.record.cancellationDate?.readable ?? start
      (end, graceStart) = (max(begin, min(paidEnd, CalendarDay(date).number)), nil)
    case .upgraded:
      // One that was refunded before another took its place ended with the refund.
      let dates = [period.replacementDate, period.record.cancellationDate?.readable]
      let date = dates.compactMap { $0 }.min() ?? period.end
      (end, graceStart) = (max(begin, min(paidEnd, CalendarDay(date).number)), nil)
    }
  }

  /// Gives a charge without a country or a currency those of the charge after it, or else of the one before it, so that
  /// a source that told less makes no move.
  private static func fill(_ charges: inout [PaidCharge]) {
    fill(&charges, \.country)
    fill(&charges, \.currency)
  }

  private static func fill(
    _ charges: inout [PaidCharge], _ part: WritableKeyPath<Place, String>
  ) {
    var known = ""
    for index in charges.indices.reversed() {
      if charges[index].place[keyPath: part].isEmpty {
        charges[index].place[keyPath: part] = known
      } else {
        known = charges[index].place[keyPath: part]
      }
    }
    for index in charges.indices {
      if charges[index].place[keyPath: part].isEmpty {
        charges[index].place[keyPath: part] = known
      } else {
        known = charges[index].place[keyPath: part]
      }
    }
  }
}

extension Int {
  /// Whether so many days are a period that the stores sell: a week, or one to four, six or twelve months.
  ///
  /// None at all, as in the Sandbox, are one too.
  fileprivate var isWholePeriod: Bool {
    switch self {
    case ...0, 7, 28...31, 59...62, 89...92, 120...123, 181...184, 365...366: true
    default: false
    }
  }
}
