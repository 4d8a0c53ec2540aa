public import ReceiptModels

/// A report of the figures of the business, by month.
///
/// Currencies stay apart. Only with rates of the host there is a sum, which names them. The guide about money figures
/// defines each figure.
public struct MoneyReport: Hashable, Sendable {
  /// The contents of a report.
  public struct Query: Hashable, Sendable {
    /// The months; those after the month of ``asOf`` are left out.
    public var months: ClosedRange<CalendarMonth>
    /// The last day that counts.
    public var asOf: CalendarDay
    /// The environment, Production unless told otherwise.
    public var environment = AppStoreEnvironment.production
    /// The parts into which the figures are divided; nil for none.
    public var division: Division?
    /// The rates by which currencies are added up; nil for not at all.
    public var rates: ExchangeRates?

    /// Creates the contents of a report.
    public init(months: ClosedRange<CalendarMonth>, asOf: CalendarDay) {
      self.months = months
      self.asOf = asOf
    }
  }

  /// The parts into which figures are divided.
  public enum Division: String, Hashable, Sendable, CaseIterable {
    case product
    case country
    case vendor
  }

  /// The numbers of subscriptions and purchases of a month.
  public struct Counts: Hashable, Sendable {
    public let month: CalendarMonth
    /// The product, country or vendor; empty for all, and where a country is not known.
    public let part: String
    /// The subscriptions that were active when the month began.
    public var activeBefore = 0
    public var new = 0
    public var returned = 0
    public var switchedIn = 0
    public var switchedOut = 0
    public var lapsed = 0
    /// The subscriptions that were active at the end: `activeBefore + new + returned + switchedIn - switchedOut - lapsed`.
    public var active = 0
    /// The subscriptions that were active when the month began, and not at the end.
    public var churned = 0
    /// Those of the active ones that were in a grace period.
    public var inGrace = 0
    public var renewed = 0
    public var sold = 0
    public var refunded = 0
    /// The charges of which no source told the amount.
    public var unpriced = 0

    /// The churn in thousandths: `churned` of `activeBefore`; nil if none were.
    public var churn: Int? {
      activeBefore > 0 ? (churned * 1000 + activeBefore / 2) / activeBefore : nil
    }
  }

  /// The amounts of a month in one currency, in thousandths of its unit.
  public struct Amounts: Hashable, Sendable {
    public let month: CalendarMonth
    public let part: String
    /// The currency; of a sum that of the rates.
    public let currency: String
    /// The amounts that customers were charged, with their taxes, before the store's share.
    public var charged = 0
    /// The amounts that the App Store gave back.
    public var refunded = 0
    /// The monthly recurring revenue at the end.
    public var recurring = 0
  }

  /// The subscriptions whose first paid charge was in one month.
  public struct Cohort: Hashable, Sendable {
    public let month: CalendarMonth
    /// Their number.
    public var size = 0
    /// The numbers of those that were active at the end of that month, of the next one, and so on.
    public var active: [Int] = []
  }

  /// The credits of a month.
  public struct Credits: Hashable, Sendable {
    public let month: CalendarMonth
    public var sold = 0
    public var takenBack = 0
    public var restored = 0
    public var given = 0
    public var spent = 0
    public var expired = 0
  }

  public let query: Query
  public private(set) var counts: [Counts] = []
  public private(set) var amounts: [Amounts] = []
  /// The sums of all currencies; empty without rates, and of a month and part that has a currency without a rate left
  /// out.
  public private(set) var sums: [Amounts] = []
  /// The currencies of which a rate is missing, in ascending order.
  public private(set) var missingRates: [String] = []
  public private(set) var cohorts: [Cohort] = []
  public private(set) var credits: [Credits] = []

  /// The months that the report shows.
  var months: [CalendarMonth] {
    let last = min(query.months.upperBound, CalendarMonth(query.asOf))
    guard query.months.lowerBound <= last else { return [] }
    return (query.months.lowerBound.number...last.number).map(CalendarMonth.init(number:))
  }

  /// Creates a report of the sums of months.
  package init(_ query: Query, _ sums: MoneyCounts) {
    self.query = query
    let tally = MoneyTally(sums, query.division)
    let months = months
    for part in tally.parts {
      for month in months {
        let counts = tally.counts(of: month, part)
        if counts != Counts(month: month, part: part) { self.counts.append(counts) }
        let amounts = tally.amounts(of: month, part)
        self.amounts += amounts
        add(amounts, month, part)
      }
    }
    missingRates = Set(missingRates).sorted()
    for month in months {
      if let last = months.last, let cohort = tally.cohort(month, through: last) {
        cohorts.append(cohort)
      }
      let credits = tally.credits(of: month)
      if credits != Credits(month: month) { self.credits.append(credits) }
    }
    counts.sort { ($0.month, $0.part) < ($1.month, $1.part) }
    amounts.sort { ($0.month, $0.part, $0.currency) < ($1.month, $1.part, $1.currency) }
    self.sums.sort { ($0.month, $0.part) < ($1.month, $1.part) }
  }

  private mutating func add(_ amounts: [Amounts], _ month: CalendarMonth, _ part: String) {
    guard let rates = query.rates, !amounts.isEmpty else { return }
    var sum = Amounts(month: month, part: part, currency: rates.currency)
    var isComplete = true
    for line in amounts {
      guard let charged = rates.amount(line.charged, of: line.currency),
        let refunded = rates.amount(line.refunded, of: line.currency),
        let recurring = rates.amount(line.recurring, of: line.currency)
      else {
        missingRates.append(line.currency)
        isComplete = false
        continue
      }
      sum.charged &+= charged
      sum.refunded &+= refunded
      sum.recurring &+= recurring
    }
    if isComplete { sums.append(sum) }
  }
}

/// The sums of months, found by what a report asks for.
private struct MoneyTally {
  private struct Key: Hashable {
    var measure: MoneyFigure.Measure
    var part: String
    var currency: String
    var cohort: CalendarMonth?
  }

  /// The numbers of each month, in ascending order of the months.
  private var numbers: [Key: [(month: CalendarMonth, number: Int)]] = [:]
  /// The products, countries or vendors, in ascending order.
  private(set) var parts: [String] = []

  private static let ofAmounts: Set<MoneyFigure.Measure> = [.charged, .refundedAmount, .recurring]
  private static let ofCohorts: Set<MoneyFigure.Measure> = [.cohort, .cohortActive]
  private static let ofCredits: Set<MoneyFigure.Measure> = [
    .creditsSold, .creditsTakenBack, .creditsRestored, .creditsGiven, .creditsSpent,
    .creditsExpired,
  ]

  init(_ sums: MoneyCounts, _ division: MoneyReport.Division?) {
    var totals: [Key: [CalendarMonth: Int]] = [:]
    var parts: Set<String> = []
    for (figure, number) in sums.numbers {
      let isWhole =
        Self.ofCohorts.contains(figure.measure) || Self.ofCredits.contains(figure.measure)
      let part = isWhole ? "" : Self.part(figure, division)
      if !isWhole { parts.insert(part) }
      let key = Key(
        measure: figure.measure, part: part,
        currency: Self.ofAmounts.contains(figure.measure) ? figure.currency : "",
        cohort: figure.cohort)
      totals[key, default: [:]][CalendarMonth(figure.day), default: 0] &+= number
    }
    numbers = totals.mapValues { months in
      months.sorted { $0.key < $1.key }.map { (month: $0.key, number: $0.value) }
    }
    self.parts = parts.sorted()
  }

  private static func part(_ figure: MoneyFigure, _ division: MoneyReport.Division?) -> String {
    switch division {
    case .product?: figure.productID
    case .country?: figure.country
    case .vendor?: figure.vendor.rawValue
    case nil: ""
    }
  }

  private func number(_ key: Key, in month: CalendarMonth) -> Int {
    numbers[key]?.first { $0.month == month }?.number ?? 0
  }

  private func standing(_ key: Key, at month: CalendarMonth) -> Int {
    numbers[key]?.prefix { $0.month <= month }.reduce(0) { $0 &+ $1.number } ?? 0
  }

  func counts(of month: CalendarMonth, _ part: String) -> MoneyReport.Counts {
    func key(_ measure: MoneyFigure.Measure) -> Key {
      Key(measure: measure, part: part, currency: "", cohort: nil)
    }
    var counts = MoneyReport.Counts(month: month, part: part)
    counts.activeBefore = standing(key(.active), at: month.advanced(by: -1))
    counts.new = number(key(.new), in: month)
    counts.returned = number(key(.returned), in: month)
    counts.switchedIn = number(key(.switchedIn), in: month)
    counts.switchedOut = number(key(.switchedOut), in: month)
    counts.lapsed = number(key(.lapsed), in: month)
    counts.churned = number(key(.churned), in: month)
    counts.active = standing(key(.active), at: month)
    counts.inGrace = standing(key(.inGrace), at: month)
    counts.renewed = number(key(.renewed), in: month)
    counts.sold = number(key(.sold), in: month)
    counts.refunded = number(key(.refunded), in: month)
    counts.unpriced = number(key(.unpriced), in: month)
    return counts
  }

  func amounts(of month: CalendarMonth, _ part: String) -> [MoneyReport.Amounts] {
    let currencies = Set(
      numbers.keys.filter { $0.part == part && Self.ofAmounts.contains($0.measure) }
        .map(\.currency))
    return currencies.sorted().compactMap { currency in
      func key(_ measure: MoneyFigure.Measure) -> Key {
        Key(measure: measure, part: part, currency: currency, cohort: nil)
      }
      var amounts = MoneyReport.Amounts(month: month, part: part, currency: currency)
      let nothing = amounts
      amounts.charged = number(key(.charged), in: month)
      amounts.refunded = number(key(.refundedAmount), in: month)
      amounts.recurring = standing(key(.recurring), at: month)
      return amounts == nothing ? nil : amounts
    }
  }

  func cohort(_ month: CalendarMonth, through last: CalendarMonth) -> MoneyReport.Cohort? {
    func key(_ measure: MoneyFigure.Measure) -> Key {
      Key(measure: measure, part: "", currency: "", cohort: month)
    }
    var cohort = MoneyReport.Cohort(month: month)
    cohort.size = number(key(.cohort), in: month)
    guard cohort.size > 0, month <= last else { return nil }
    cohort.active = (month.number...last.number).map {
      standing(key(.cohortActive), at: CalendarMonth(number: $0))
    }
    return cohort
  }

  func credits(of month: CalendarMonth) -> MoneyReport.Credits {
    func number(_ measure: MoneyFigure.Measure) -> Int {
      self.number(Key(measure: measure, part: "", currency: "", cohort: nil), in: month)
    }
    var credits = MoneyReport.Credits(month: month)
    credits.sold = number(.creditsSold)
    credits.takenBack = number(.creditsTakenBack)
    credits.restored = number(.creditsRestored)
    credits.given = number(.creditsGiven)
    credits.spent = number(.creditsSpent)
    credits.expired = number(.creditsExpired)
    return credits
  }
}
