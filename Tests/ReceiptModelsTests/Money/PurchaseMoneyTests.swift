import Foundation
import ReceiptModels
import StorekeeperFixtures
import Testing

/// What one purchase adds to the figures, by the definitions of the guide about money figures.
@Suite("The money of a purchase")
struct PurchaseMoneyTests {
  typealias Measure = MoneyFigure.Measure

  /// 2026-01-01.
  private static let start = Date(timeIntervalSince1970: 1_767_225_600)
  private static let id = "1000000000000001"

  private static func date(_ day: Double) -> Date { start + day * 86_400 }

  private static func charge(
    _ number: Int, _ days: ClosedRange<Double>, price: Int? = 9990, product: String = "pro",
    _ change: (inout PurchaseRecord) -> Void = { _ in }
  ) -> PurchaseRecord {
    var charge = PurchaseRecord(
      transactionID: "200000000000000\(number)", originalTransactionID: id, productID: product)
    charge.environment = .production
    charge.productType = .autoRenewableSubscription
    charge.originalPurchaseDate = start
    charge.purchaseDate = date(days.lowerBound)
    charge.expiresDate = date(days.upperBound)
    charge.country = "DE"
    charge.note(price: price, currency: "EUR")
    change(&charge)
    return charge
  }

  private static func counts(
    _ charges: [PurchaseRecord], renewals: [RenewalRecord] = []
  ) -> MoneyCounts {
    MoneyCounts(of: charges, renewals: renewals, environment: .production)
  }

  /// The numbers of a measure by day since the start, of one product or of all.
  private static func days(
    _ measure: Measure, _ counts: MoneyCounts, product: String? = nil
  ) -> [Int: Int] {
    let first = CalendarDay(start)
    var days: [Int: Int] = [:]
    for (figure, number) in counts.numbers
    where figure.measure == measure && (product == nil || figure.productID == product) {
      let day = Int(figure.day.start.timeIntervalSince(first.start) / 86_400)
      days[day, default: 0] += number
    }
    return days
  }

  @Test("a period counts once as new, as active while it lasts, and as lapsed where it ends")
  func period() {
    let counts = Self.counts([Self.charge(1, 0...31)])
    #expect(Self.days(.new, counts) == [0: 1])
    #expect(Self.days(.active, counts) == [0: 1, 31: -1])
    #expect(Self.days(.lapsed, counts) == [31: 1])
    #expect(Self.days(.charged, counts) == [0: 9990])
    #expect(Self.days(.recurring, counts) == [0: 9990, 31: -9990])
    #expect(Self.days(.renewed, counts) == [:])
    #expect(Self.days(.cohort, counts) == [0: 1])
    let figure = counts.numbers.keys.first { $0.measure == .charged }
    #expect(figure?.country == "DE")
    #expect(figure?.currency == "EUR")
    #expect(figure?.vendor == .apple)
  }

  @Test("a renewal moves the end, and counts as renewed")
  func renewal() {
    let counts = Self.counts([Self.charge(2, 31...59), Self.charge(1, 0...31)])
    #expect(Self.days(.new, counts) == [0: 1])
    #expect(Self.days(.renewed, counts) == [31: 1])
    #expect(Self.days(.active, counts) == [0: 1, 59: -1])
    #expect(Self.days(.lapsed, counts) == [59: 1])
    #expect(Self.days(.charged, counts) == [0: 9990, 31: 9990])
  }

  @Test("a gap of a day makes a subscription lapse and return; a gap within a day is none")
  func gap() {
    let apart = Self.counts([Self.charge(1, 0...31), Self.charge(2, 32...62)])
    #expect(Self.days(.lapsed, apart) == [31: 1, 62: 1])
    #expect(Self.days(.returned, apart) == [32: 1])
    #expect(Self.days(.active, apart) == [0: 1, 31: -1, 32: 1, 62: -1])
    let near = Self.counts([Self.charge(1, 0...31), Self.charge(2, 31.9...62)])
    #expect(Self.days(.lapsed, near) == [62: 1])
    #expect(Self.days(.renewed, near) == [31: 1])
  }

  @Test("a free trial is new and active, and its cohort is the month of the first paid charge")
  func trial() {
    let trial = Self.charge(1, 25...32, price: 0) { $0.isTrialPeriod = true }
    let alone = Self.counts([trial])
    #expect(Self.days(.new, alone) == [25: 1])
    #expect(Self.days(.recurring, alone) == [:])
    #expect(Self.days(.cohort, alone) == [:])
    let paid = Self.counts([trial, Self.charge(2, 32...60)])
    #expect(Self.days(.cohort, paid) == [32: 1])
    #expect(
      paid.numbers.keys.first { $0.measure == .cohort }?.cohort == CalendarMonth("2026-02"))
    #expect(Self.days(.cohortActive, paid) == [32: 1, 60: -1])
  }

  @Test(
    "the recurring revenue of a period is that of a month of it",
    arguments: [
      (31.0, 12_000), (28, 12_000), (365, 1000), (366, 1000), (92, 4000), (184, 2000), (7, 52_000),
      (14, 26_000), (3, 52_000),
    ])
  func monthly(days: Double, monthly: Int) {
    let counts = Self.counts([Self.charge(1, 0...days, price: 12_000)])
    #expect(Self.days(.recurring, counts)[0] == monthly)
  }

  @Test("an upgrade goes on with another product, whose revenue takes the place of the first")
  func upgrade() {
    let counts = Self.counts([
      Self.charge(1, 0...31),
      Self.charge(2, 10...40, price: 19_990, product: "premium"),
    ])
    #expect(Self.days(.new, counts) == [0: 1])
    #expect(Self.days(.switchedOut, counts, product: "pro") == [10: 1])
    #expect(Self.days(.switchedIn, counts, product: "premium") == [10: 1])
    #expect(Self.days(.active, counts, product: "pro") == [0: 1, 10: -1])
    #expect(Self.days(.active, counts, product: "premium") == [10: 1, 40: -1])
    #expect(Self.days(.lapsed, counts) == [40: 1])
    #expect(Self.days(.recurring, counts) == [0: 9990, 10: 10_000, 40: -19_990])
  }

  @Test("a refund ends what was paid, and counts on its day with the share that was given back")
  func refund() {
    var refunded = Self.charge(1, 0...31)
    refunded.cancellationDate = Self.date(12)
    let whole = Self.counts([refunded])
    #expect(Self.days(.refunded, whole) == [12: 1])
    #expect(Self.days(.refundedAmount, whole) == [12: 9990])
    #expect(Self.days(.active, whole) == [0: 1, 12: -1])
    #expect(Self.days(.lapsed, whole) == [12: 1])
    #expect(Self.days(.charged, whole) == [0: 9990])
    refunded.revocationPercentage = 50_000
    refunded.cancellationDate = Self.date(45)
    let late = Self.counts([refunded])
    #expect(Self.days(.refundedAmount, late) == [45: 4995])
    #expect(Self.days(.lapsed, late) == [31: 1])
  }

  @Test("a refund of what an upgrade replaced counts, an upgrade itself is none")
  func refundOfUpgraded() {
    var first = Self.charge(1, 0...31)
    first.cancellationDate = Self.date(20)
    let second = Self.charge(2, 10...40, product: "premium")
    #expect(Self.days(.refunded, Self.counts([first, second])) == [20: 1])
    first.isUpgraded = true
    #expect(Self.days(.refunded, Self.counts([first, second])) == [:])
  }

  @Test("a time of grace is active, in grace, and ends as one")
  func grace() {
    var renewal = RenewalRecord(originalTransactionID: Self.id)
    renewal.environment = .production
    renewal.productID = "pro"
    renewal.isInBillingRetry = true
    renewal.gracePeriodExpiresDate = Self.date(47)
    let counts = Self.counts([Self.charge(1, 0...31)], renewals: [renewal])
    #expect(Self.days(.active, counts) == [0: 1, 47: -1])
    #expect(Self.days(.inGrace, counts) == [31: 1, 47: -1])
    #expect(Self.days(.lapsed, counts) == [47: 1])
    #expect(Self.days(.recurring, counts) == [0: 9990, 47: -9990])
  }

  @Test("what is paid in the time of grace costs the same, and shows that there was one")
  func paidLate() {
    let counts = Self.counts([
      Self.charge(1, 0...31), Self.charge(2, 45.25...59), Self.charge(3, 59...90),
    ])
    #expect(Self.days(.recurring, counts) == [0: 9990, 90: -9990])
    #expect(Self.days(.inGrace, counts) == [31: 1, 45: -1])
    #expect(Self.days(.lapsed, counts) == [90: 1])
    #expect(Self.days(.renewed, counts) == [45: 1, 59: 1])
    // A new period of its own, after billing retry.
    let retried = Self.counts([Self.charge(1, 0...31), Self.charge(2, 45...76)])
    #expect(Self.days(.recurring, retried) == [0: 9990, 31: -9990, 45: 9990, 76: -9990])
    #expect(Self.days(.returned, retried) == [45: 1])
  }

  @Test("who comes back with a free offer was not in grace; an extended period is longer")
  func notLate() {
    let offer = Self.charge(2, 45...59, price: 0) { $0.offer = PurchaseOffer(type: .winBack) }
    let back = Self.counts([Self.charge(1, 0...31), offer])
    #expect(Self.days(.lapsed, back) == [31: 1, 59: 1])
    #expect(Self.days(.returned, back) == [45: 1])
    #expect(Self.days(.inGrace, back) == [:])
    let between = Self.counts([
      Self.charge(1, 0...31), Self.charge(2, 33...40, product: "weekly"), Self.charge(3, 45...59),
    ])
    #expect(Self.days(.returned, between, product: "pro") == [45: 1])
    let extended = Self.counts([Self.charge(1, 0...31), Self.charge(2, 31...107)])
    #expect(Self.days(.recurring, extended)[31] == -4995)
  }

  @Test("a charge in another country takes the place of one that it overlaps with")
  func otherCountry() {
    let moved = Self.charge(2, 20...50) { $0.country = "US" }
    let counts = Self.counts([Self.charge(1, 0...31), moved])
    #expect(Self.days(.new, counts) == [0: 1])
    #expect(Self.days(.switchedOut, counts) == [20: 1])
    #expect(Self.days(.switchedIn, counts) == [20: 1])
    #expect(Self.days(.active, counts).filter { $0.value != 0 } == [0: 1, 50: -1])
    #expect(Self.days(.lapsed, counts) == [50: 1])
  }

  @Test("a subscription churns once in a month, if it was active before and is not at the end")
  func churn() {
    // Lapses on 12 March and comes back on 22 March; lapses on 21 April.
    let back = Self.counts([Self.charge(1, 0...70), Self.charge(2, 80...110)])
    #expect(Self.days(.lapsed, back) == [70: 1, 110: 1])
    #expect(Self.days(.churned, back) == [110: 1])
    // Begins and ends in January.
    let short = Self.counts([Self.charge(1, 5...12)])
    #expect(Self.days(.lapsed, short) == [12: 1])
    #expect(Self.days(.churned, short) == [:])
  }

  @Test("a refund before an upgrade ends the first product on its day")
  func refundedBefore() {
    var first = Self.charge(1, 0...31)
    first.cancellationDate = Self.date(8)
    let counts = Self.counts([first, Self.charge(2, 20...50)])
    #expect(Self.days(.lapsed, counts) == [8: 1, 50: 1])
    #expect(Self.days(.returned, counts) == [20: 1])
  }

  @Test("nobody here paid for what a family shares; an outdated charge counts for nothing")
  func notCounted() {
    let shared = Self.charge(1, 0...31) { $0.ownership = .familyShared }
    let outdated = Self.charge(2, 0...31) { $0.isOutdated = true }
    #expect(Self.counts([shared, outdated]).isEmpty)
  }

  @Test("a charge without a price counts as one, and is no move to another currency")
  func unpriced() {
    let bare = Self.charge(1, 0...31, price: nil) { $0.country = nil }
    let counts = Self.counts([bare, Self.charge(2, 31...59)])
    #expect(Self.days(.unpriced, counts) == [0: 1])
    #expect(Self.days(.charged, counts) == [31: 9990])
    #expect(Self.days(.switchedIn, counts) == [:])
    #expect(Self.days(.active, counts) == [0: 1, 59: -1])
  }

  @Test("charges of Google, which have no dates, follow each other")
  func google() {
    let id = "google:" + String(repeating: "ab", count: 32)
    func order(_ number: Int, until end: Double) -> PurchaseRecord {
      var order = PurchaseRecord(
        transactionID: "google:GPA.1..\(number):pro", originalTransactionID: id, productID: "pro")
      order.environment = .production
      order.originalPurchaseDate = Self.start
      order.expiresDate = Self.date(end)
      order.note(price: 5000, currency: "USD")
      return order
    }
    var ended = order(2, until: 90)
    ended.cancellationDate = Self.date(70)
    let counts = Self.counts([ended, order(0, until: 31), order(1, until: 59)])
    #expect(Self.days(.new, counts) == [0: 1])
    #expect(Self.days(.renewed, counts) == [31: 1, 59: 1])
    #expect(Self.days(.active, counts) == [0: 1, 70: -1])
    // Google does not say whether it was a refund.
    #expect(Self.days(.refunded, counts) == [:])
    #expect(counts.numbers.keys.allSatisfy { $0.vendor == .google })
  }

  @Test(
    "Google moves the end of a period that is in grace; the price is that of a month all the same")
  func googlePaidLate() {
    let id = "google:" + String(repeating: "cd", count: 32)
    let orders = zip(0..., [47.0, 59, 90]).map { number, end in
      var order = PurchaseRecord(
        transactionID: "google:GPA.2..\(number):pro", originalTransactionID: id, productID: "pro")
      order.environment = .production
      order.originalPurchaseDate = Self.start
      order.expiresDate = Self.date(end)
      order.note(price: 5000, currency: "USD")
      return order
    }
    #expect(Self.days(.recurring, Self.counts(orders)) == [0: 5000, 90: -5000])
  }

  @Test("what is bought once is sold, and refunded")
  func oneTime() {
    var pack = PurchaseRecord(
      transactionID: Self.id, originalTransactionID: Self.id, productID: "coins")
    pack.productType = .consumable
    pack.purchaseDate = Self.date(3)
    pack.note(price: 1990, currency: "EUR")
    pack.cancellationDate = Self.date(8)
    let counts = Self.counts([pack])
    #expect(Self.days(.sold, counts) == [3: 1])
    #expect(Self.days(.charged, counts) == [3: 1990])
    #expect(Self.days(.refunded, counts) == [8: 1])
    #expect(Self.days(.new, counts) == [:])
  }

  @Test("a charge that overlaps with the one before it pays for no day twice")
  func overlap() {
    let counts = Self.counts([
      Self.charge(1, 0...60), Self.charge(2, 30...40), Self.charge(3, 50...90),
    ])
    #expect(Self.days(.active, counts) == [0: 1, 90: -1])
    #expect(Self.days(.lapsed, counts) == [90: 1])
    #expect(Self.days(.recurring, counts).values.reduce(0, +) == 0)
  }

  @Test("whatever happens, active is what came less what went, at every product", arguments: 0..<40)
  func balance(seed: UInt64) {
    var chance = SplitMix(state: seed)
    var charges: [PurchaseRecord] = []
    var day = 0.0
    for number in 1...Int.random(in: 1...9, using: &chance) {
      day += Double.random(in: -3...40, using: &chance)
      let length = Double.random(in: 0...70, using: &chance)
      charges.append(
        Self.charge(
          number, max(0, day)...(max(0, day) + length),
          product: ["pro", "premium", "basic"].randomElement(using: &chance) ?? ""
        ) {
          if Bool.random(using: &chance) {
            let days = Double.random(in: 0...50, using: &chance)
            $0.cancellationDate = $0.purchaseDate.map { $0 + days * 86_400 }
          }
          if Int.random(in: 0..<6, using: &chance) == 0 { $0.country = "US" }
        })
    }
    let counts = Self.counts(charges)
    #expect(Self.counts(charges.reversed()) == counts)
    #expect(Self.counts(charges.shuffled(using: &chance)) == counts)
    struct Place: Hashable {
      let product: String
      let country: String
    }
    for day in 0...500 {
      var (active, balance) = ([Place: Int](), [Place: Int]())
      let last = CalendarDay(Self.date(Double(day)))
      for (figure, number) in counts.numbers where figure.day <= last {
        let place = Place(product: figure.productID, country: figure.country)
        switch figure.measure {
        case .active: active[place, default: 0] += number
        case .new, .returned, .switchedIn: balance[place, default: 0] += number
        case .lapsed, .switchedOut: balance[place, default: 0] -= number
        default: break
        }
      }
      #expect(active.filter { $0.value != 0 } == balance.filter { $0.value != 0 }, "day \(day)")
      #expect(active.values.allSatisfy { $0 >= 0 }, "day \(day)")
    }
  }
}

@Suite("Codes and months of figures")
struct MoneyVocabularyTests {
  @Test("a country has one code, whichever store writes it")
  func countries() {
    #expect(CountryCode.twoLetters("USA") == "US")
    #expect(CountryCode.twoLetters("US") == "US")
    #expect(CountryCode.twoLetters("XKS") == "XK")
    #expect(CountryCode.twoLetters("ZZZ") == nil)
    #expect(CountryCode.twoLetters("usa") == nil)
    #expect(CountryCode.twoLetters("") == nil)
  }

  @Test("months follow each other over the ends of years")
  func months() throws {
    let december = try #require(CalendarMonth("2026-12"))
    #expect(december.advanced(by: 1).description == "2027-01")
    #expect(december.advanced(by: -12).description == "2025-12")
    #expect(december.lastDay == CalendarDay("2026-12-31"))
    #expect(CalendarMonth("2024-02")?.lastDay == CalendarDay("2024-02-29"))
    for text in ["2026-13", "2026-1", "2026-012", "x026-01", ""] {
      #expect(CalendarMonth(text) == nil, "\(text)")
    }
  }

  @Test("a signed transaction tells its price, its country, and the part that was refunded")
  func signed() {
    var transaction = Transaction()
    (transaction.transactionID, transaction.productID) = ("1", "pro")
    (transaction.price, transaction.currency) = (9990, "EUR")
    transaction.storefront = "DEU"
    transaction.revocationPercentage = 25_000
    let record = PurchaseRecord(transaction)
    #expect(record?.price == 9990)
    #expect(record?.currency == "EUR")
    #expect(record?.country == "DE")
    #expect(record?.revocationPercentage == 25_000)
    transaction.currency = nil
    #expect(PurchaseRecord(transaction)?.price == nil)
    (transaction.price, transaction.currency) = (-1, "EUR")
    #expect(PurchaseRecord(transaction)?.price == nil)
    (transaction.price, transaction.currency) = (Int.max, "EUR")
    #expect(PurchaseRecord(transaction)?.price == nil)
  }
}
