import CreditPolicy
import Foundation
import PurchaseStorage
import ReceiptModels

/// Random histories of subscriptions, as the events that tell of them: charges and entries about renewals, each with the
/// moment at which it was signed.
struct MoneyHistories {
  enum Event: Sendable {
    case charge(PurchaseRecord)
    case renewal(RenewalRecord)
  }

  /// 2025-01-01.
  static let start = Date(timeIntervalSince1970: 1_735_689_600)
  private static let products = ["monthly": 30, "yearly": 365, "weekly": 7]
  private static let places = [("DE", "EUR"), ("US", "USD"), ("JP", "JPY"), ("", "")]

  var chance: SplitMix

  init(seed: UInt64) { chance = SplitMix(seed) }

  /// Returns the events of a subscription, in the order in which they happened: up to twelve charges, with trials, changes of
  /// product, refunds and their reversals, extensions, times of grace, and events that are told twice.
  mutating func events(of number: Int) -> [Event] {
    let isGoogle = number % 5 == 0
    let digest = String(number, radix: 16)
    let id =
      isGoogle
      ? "google:" + String(repeating: "0", count: 64 - digest.utf8.count) + digest
      : String(1_000_000_000_000 + number)
    let (country, currency) = Self.places.randomElement(using: &chance) ?? ("", "")
    var events: [Event] = []
    var product = Self.products.keys.sorted().randomElement(using: &chance) ?? ""
    let first = Self.start + Double(Int.random(in: 0..<700, using: &chance)) * 86_400
    var begin = first
    var signed = 0.0
    for charge in 0..<Int.random(in: 1...12, using: &chance) {
      if Int.random(in: 0..<6, using: &chance) == 0 {
        product = Self.products.keys.sorted().randomElement(using: &chance) ?? product
      }
      let length = Double(Self.products[product] ?? 30) * 86_400
      var record = PurchaseRecord(
        transactionID: isGoogle
          ? "google:GPA.\(number)..\(charge):\(product)"
          : "\(2_000_000_000_000 + number * 100 + charge)",
        originalTransactionID: id, productID: product)
      record.environment = .production
      record.productType = .autoRenewableSubscription
      record.originalPurchaseDate = first
      if !isGoogle { record.purchaseDate = begin }
      record.expiresDate = begin + length
      record.country = country.isEmpty ? nil : country
      let isTrial = charge == 0 && Bool.random(using: &chance)
      record.isTrialPeriod = isTrial
      if !currency.isEmpty {
        record.price = isTrial ? 0 : Int.random(in: 1...20, using: &chance) * 990
        record.currency = currency
      }
      func tell(_ change: (inout PurchaseRecord) -> Void = { _ in }) {
        signed += 1
        change(&record)
        record.signedDate = begin + signed
        events.append(.charge(record))
      }
      tell()
      switch Int.random(in: 0..<12, using: &chance) {
      case 0: tell { $0.cancellationDate = begin + length / 3 }
      case 1:
        tell { $0.cancellationDate = begin + length * 2 }
        tell { $0.cancellationDate = nil }
      case 2: tell { $0.expiresDate = begin + length * 1.5 }
      case 3:
        var renewal = RenewalRecord(originalTransactionID: id)
        renewal.environment = .production
        renewal.productID = product
        renewal.isInBillingRetry = true
        renewal.gracePeriodExpiresDate = begin + length + 16 * 86_400
        signed += 1
        renewal.signedDate = begin + length + signed
        events.append(.renewal(renewal))
      case 4: events.append(.charge(record))
      default: break
      }
      begin += length
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: begin += Double(Int.random(in: 1...60, using: &chance)) * 86_400
      case 1: begin -= length / 2
      default: break
      }
    }
    return events
  }

  /// Returns the events of many subscriptions, in an order of chance.
  mutating func shuffled(_ count: Int) -> [Event] {
    var all: [Event] = []
    for number in 1...count { all += events(of: number) }
    return all.shuffled(using: &chance)
  }
}

extension UnitOfWork {
  func record(_ events: some Sequence<MoneyHistories.Event>) async throws {
    for event in events {
      switch event {
      case .charge(let record):
        try await purchases.record(
          transactions: [record], environment: .production, now: MoneyHistories.start)
      case .renewal(let renewal):
        try await purchases.record(
          renewals: [renewal], environment: .production, now: MoneyHistories.start)
      }
    }
  }
}
