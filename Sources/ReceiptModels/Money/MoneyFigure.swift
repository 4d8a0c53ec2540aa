/// A figure of the business on one day: its measure, and by which it is told apart.
///
/// Figures are numbers that are added up. A standing, such as the number of active subscriptions, is kept as its changes:
/// the sum of all changes up to a day is the standing at the end of that day (UTC). So nothing has to be written when a
/// period simply ends. Amounts of money are in thousandths of the currency unit.
public struct MoneyFigure: Hashable, Sendable {
  public var measure: Measure
  public var day: CalendarDay
  public var environment: AppStoreEnvironment
  public var vendor: Vendor
  /// The product; empty for credits.
  public var productID: String
  /// The country of the customer (ISO 3166-1, two letters); empty where nobody told it, and for credits.
  public var country: String
  /// The currency (ISO 4217); empty where nobody told it, and for credits.
  public var currency: String
  /// The month of the first paid charge; only of the measures of cohorts.
  public var cohort: CalendarMonth?

  /// Creates a figure.
  public init(
    _ measure: Measure, on day: CalendarDay, environment: AppStoreEnvironment, vendor: Vendor,
    productID: String = "", country: String = ""
  ) {
    self.measure = measure
    self.day = day
    self.environment = environment
    self.vendor = vendor
    self.productID = productID
    self.country = country
    currency = ""
  }

  /// A measure; the guide about money figures has the definition of each.
  public struct Measure: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    // Subscriptions.
    /// Subscriptions that began for the first time.
    public static let new = Self(rawValue: "new")
    /// Subscriptions that began again after they had lapsed.
    public static let returned = Self(rawValue: "returned")
    /// Subscriptions that went on with another product, counted at the new one.
    public static let switchedIn = Self(rawValue: "switched_in")
    /// The same, counted at the old product.
    public static let switchedOut = Self(rawValue: "switched_out")
    /// Subscriptions that ended, by the clock, by a refund or by a revocation.
    public static let lapsed = Self(rawValue: "lapsed")
    /// Subscriptions that were active when the month began and are not when it ends.
    public static let churned = Self(rawValue: "churned")
    /// Charges for a further period.
    public static let renewed = Self(rawValue: "renewed")
    /// The change of the number of active subscriptions.
    public static let active = Self(rawValue: "active")
    /// The change of the number of those that are in a grace period.
    public static let inGrace = Self(rawValue: "in_grace")
    /// The change of the monthly recurring revenue.
    public static let recurring = Self(rawValue: "recurring")

    // Money.
    /// One-time purchases.
    public static let sold = Self(rawValue: "sold")
    /// Amounts that customers were charged, with their taxes, before the store's share.
    public static let charged = Self(rawValue: "charged")
    /// Charges of which no source told the amount.
    public static let unpriced = Self(rawValue: "unpriced")
    /// Charges that the App Store refunded.
    public static let refunded = Self(rawValue: "refunded")
    /// Amounts that the App Store gave back.
    public static let refundedAmount = Self(rawValue: "refunded_amount")

    // Cohorts.
    /// Subscriptions whose first paid charge was in the month of the cohort.
    public static let cohort = Self(rawValue: "cohort")
    /// The change of the number of those that are active.
    public static let cohortActive = Self(rawValue: "cohort_active")

    // Credits.
    public static let creditsSold = Self(rawValue: "credits_sold")
    /// Credits that were taken back for a refund.
    public static let creditsTakenBack = Self(rawValue: "credits_taken_back")
    /// Credits that were given back because a refund was reversed.
    public static let creditsRestored = Self(rawValue: "credits_restored")
    /// Credits that the host gave.
    public static let creditsGiven = Self(rawValue: "credits_given")
    public static let creditsSpent = Self(rawValue: "credits_spent")
    public static let creditsExpired = Self(rawValue: "credits_expired")

    public static let allCases: [Measure] = [
      new, returned, switchedIn, switchedOut, lapsed, churned, renewed, active, inGrace, recurring,
      sold, charged, unpriced, refunded, refundedAmount, cohort, cohortActive, creditsSold,
      creditsTakenBack, creditsRestored, creditsGiven, creditsSpent, creditsExpired,
    ]
  }
}

/// Numbers of figures, which are added up; one that is 0 is the same as one that is not there.
public struct MoneyCounts: Hashable, Sendable {
  public private(set) var numbers: [MoneyFigure: Int] = [:]

  /// Creates counts of nothing.
  public init() {}

  public var isEmpty: Bool { numbers.isEmpty }

  /// The number of a figure.
  public subscript(figure: MoneyFigure) -> Int { numbers[figure] ?? 0 }

  /// Adds a number to a figure.
  public mutating func add(_ number: Int, to figure: MoneyFigure) {
    guard number != 0 else { return }
    // Beyond 64 bits it goes round, so that what was added can always be taken away.
    let sum = (numbers[figure] ?? 0) &+ number
    numbers[figure] = sum == 0 ? nil : sum
  }

  /// Adds all numbers of others.
  public mutating func add(_ other: MoneyCounts) {
    for (figure, number) in other.numbers { add(number, to: figure) }
  }

  /// Takes all numbers of others away.
  public mutating func subtract(_ other: MoneyCounts) {
    for (figure, number) in other.numbers { add(0 &- number, to: figure) }
  }

  /// Returns the numbers by which two counts differ.
  public static func - (one: MoneyCounts, other: MoneyCounts) -> MoneyCounts {
    var difference = one
    difference.subtract(other)
    return difference
  }
}
