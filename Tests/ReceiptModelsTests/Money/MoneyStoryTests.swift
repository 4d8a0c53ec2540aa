import Foundation
import ReceiptModels
import StorekeeperFixtures
import Testing

/// Figures against the life of a subscription that is written down day by day, without any charge.
@Suite("The money of a subscription's life")
struct MoneyStoryTests {
  @Test("is what its days say, whatever happens", arguments: 0..<600)
  func life(seed: UInt64) {
    let life = SubscriptionLife(seed: seed)
    var chance = SplitMix(state: seed)
    let counts = MoneyCounts(
      of: life.charges.shuffled(using: &chance), renewals: [], environment: .production)
    let first = CalendarDay(SubscriptionLife.start)
    func numbers(_ measure: MoneyFigure.Measure) -> [Int: Int] {
      var days: [Int: Int] = [:]
      for (figure, number) in counts.numbers where figure.measure == measure {
        let day = Int(figure.day.start.timeIntervalSince(first.start) / 86_400)
        days[day, default: 0] += number
      }
      return days.filter { $0.value != 0 }
    }
    func sums(_ measure: MoneyFigure.Measure) -> [Int] {
      let changes = numbers(measure)
      var sum = 0
      return life.days.indices.map { day in
        sum += changes[day] ?? 0
        return sum
      }
    }
    #expect(sums(.active) == life.days.map { $0 == nil ? 0 : 1 })
    #expect(sums(.recurring) == life.days.map { $0?.monthly ?? 0 })
    #expect(sums(.inGrace) == life.days.map { $0?.isInGrace == true ? 1 : 0 })
    #expect(sums(.cohortActive) == life.cohortDays)
    let changes = life.changes
    #expect(numbers(.new) == changes.new)
    #expect(numbers(.returned) == changes.returned)
    #expect(numbers(.switchedIn) == changes.switched)
    #expect(numbers(.switchedOut) == changes.switched)
    #expect(numbers(.lapsed) == changes.lapsed)
    #expect(numbers(.churned).values.reduce(0, +) == life.churnedMonths)
    #expect(numbers(.renewed) == life.renewed)
    #expect(numbers(.charged) == life.charged)
    #expect(numbers(.refundedAmount) == life.refunded)
  }
}

/// A subscription's life: the charges that the App Store would tell, and what each day was like.
private struct SubscriptionLife {
  /// 2026-01-01 at 09:36.
  static let start = Date(timeIntervalSince1970: 1_767_260_160)

  struct Day: Equatable {
    var product: String
    var country: String
    var monthly: Int
    var isInGrace = false
  }

  struct Plan {
    var product: String
    var days: Int
    var price: Int
    /// The price for a month, by hand.
    var monthly: Int
    /// The longest time of grace that the App Store gives, in days.
    var grace: Int
  }

  private static let plans = [
    Plan(product: "weekly", days: 7, price: 3000, monthly: 13_000, grace: 6),
    Plan(product: "monthly", days: 30, price: 9990, monthly: 9990, grace: 16),
    Plan(product: "quarterly", days: 91, price: 24_000, monthly: 8000, grace: 16),
    Plan(product: "yearly", days: 365, price: 84_000, monthly: 7000, grace: 16),
  ]

  private(set) var charges: [PurchaseRecord] = []
  private(set) var days: [Day?] = []
  private(set) var renewed: [Int: Int] = [:]
  private(set) var charged: [Int: Int] = [:]
  private(set) var refunded: [Int: Int] = [:]
  private var firstPaid: Int?
  /// The day on which the last charge began.
  private var begin = 0
  private var country = "DE"

  init(seed: UInt64) {
    var chance = SplitMix(state: seed &+ 1000)
    var plan = Self.plans[Int.random(in: 0..<4, using: &chance)]
    var end = 0
    if Bool.random(using: &chance) {
      charge(plan, from: 0, to: 7, price: 0)
      end = 7
    }
    var isCut = false
    for number in 0..<Int.random(in: 1...12, using: &chance) {
      let isFirst = number == 0
      switch isFirst ? 0 : Int.random(in: 0..<7, using: &chance) {
      case 1:
        // Nothing for a while, and then a new period.
        end += Int.random(in: 1...80, using: &chance)
        charge(plan, from: end, to: end + plan.days)
        end += plan.days
      case 2 where !isCut:
        // Paid late, in the time of grace: the dates stay.
        let late = Int.random(in: 1...plan.grace, using: &chance)
        for day in end..<end + late { put(plan, on: day, isInGrace: true) }
        charge(plan, from: end + late, to: end + plan.days, isLate: true)
        renewed[end + late] = 1
        end += plan.days
      case 3 where !isCut && begin + 1 < end:
        // An upgrade within the period.
        let other = Self.plans[Int.random(in: 0..<4, using: &chance)]
        guard other.product != plan.product else { continue }
        let day = Int.random(in: begin + 1..<end, using: &chance)
        charges[charges.count - 1].isUpgraded = true
        charges[charges.count - 1].cancellationDate = Self.date(day)
        days.removeLast(days.count - day)
        plan = other
        charge(plan, from: day, to: day + plan.days)
        end = day + plan.days
      case 4 where !isCut && begin + 1 < end && charged[begin] == plan.price:
        // A refund within the period; then nothing for a while.
        let day = Int.random(in: begin + 1..<end, using: &chance)
        charges[charges.count - 1].cancellationDate = Self.date(day)
        days.removeLast(days.count - day)
        refunded[day] = plan.price
        end = day
        isCut = true
        continue
      case 5 where !isCut:
        country = country == "DE" ? "FR" : "DE"
        charge(plan, from: end, to: end + plan.days)
        end += plan.days
      default:
        if isCut { end += Int.random(in: 1...50, using: &chance) }
        if !isFirst && !isCut || isFirst && end > 0 { renewed[end] = 1 }
        charge(plan, from: end, to: end + plan.days)
        end += plan.days
      }
      isCut = false
    }
    days += Array(repeating: nil, count: 40)
  }

  private static func date(_ day: Int) -> Date { start + Double(day) * 86_400 }

  private mutating func put(_ plan: Plan, on day: Int, price: Int? = nil, isInGrace: Bool = false) {
    while days.count < day { days.append(nil) }
    days.append(
      Day(
        product: plan.product, country: country, monthly: price == 0 ? 0 : plan.monthly,
        isInGrace: isInGrace))
  }

  private mutating func charge(
    _ plan: Plan, from begin: Int, to end: Int, price: Int? = nil, isLate: Bool = false
  ) {
    var record = PurchaseRecord(
      transactionID: String(2_000_000_000_000_001 + charges.count),
      originalTransactionID: "2000000000000001", productID: plan.product)
    record.environment = .production
    record.productType = .autoRenewableSubscription
    record.originalPurchaseDate = Self.start
    // Who pays late does it at some other time of the day.
    record.purchaseDate = Self.date(begin) + (isLate ? 3600 : 0)
    record.expiresDate = Self.date(end)
    record.country = country
    record.isTrialPeriod = price == 0
    record.note(price: price ?? plan.price, currency: "EUR")
    charges.append(record)
    self.begin = begin
    for day in begin..<end { put(plan, on: day, price: price) }
    if price != 0 {
      charged[begin] = plan.price
      firstPaid = firstPaid ?? begin
    }
  }

  struct Changes {
    var new: [Int: Int] = [:]
    var returned: [Int: Int] = [:]
    var switched: [Int: Int] = [:]
    var lapsed: [Int: Int] = [:]
  }

  /// The changes from day to day.
  var changes: Changes {
    var changes = Changes()
    for (day, today) in days.enumerated() {
      let before = day == 0 ? nil : days[day - 1]
      switch (before, today) {
      case (nil, .some) where day == 0: changes.new[day] = 1
      case (nil, .some): changes.returned[day] = 1
      case (.some, nil): changes.lapsed[day] = 1
      case (let before?, let today?)
      where (before.product, before.country) != (today.product, today.country):
        changes.switched[day] = 1
      default: break
      }
    }
    return changes
  }

  /// 1 for each day on which it is active, from its first paid charge on.
  var cohortDays: [Int] {
    days.enumerated().map { $0 >= firstPaid ?? .max && $1 != nil ? 1 : 0 }
  }

  /// The number of months at whose beginning it is active, and at whose end it is not.
  var churnedMonths: Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    var (count, before) = (0, false)
    for (day, today) in days.enumerated()
    where calendar.component(.day, from: Self.date(day + 1)) == 1 {
      if before, today == nil { count += 1 }
      before = today != nil
    }
    return count
  }
}
