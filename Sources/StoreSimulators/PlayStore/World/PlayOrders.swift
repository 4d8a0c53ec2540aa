#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The orders of one purchase: the first one, and one for each renewal.
///
/// The first number is like `GPA.3345-1234-5678-90123`; renewals append `..0`, `..1` and so on.
struct PlayOrders: Sendable {
  private let number: String
  private(set) var all: [Order]

  /// One payment.
  struct Order: Hashable, Sendable {
    let id: String
    /// The date at which it was created.
    let date: Date
    var item: Item
    /// The date at which the money came in; nil while it is pending, and for one that was given up.
    var paid: Date?
    /// The date at which the whole amount was given back.
    var refunded: Date?
    /// The refunds of parts, oldest first.
    var partialRefunds: [PartialRefund] = []
    var isChargedBack = false
  }

  /// The product of an order, with the price of one piece.
  struct Item: Hashable, Sendable {
    let productID: String
    var basePlan: String?
    var offer: String?
    var quantity = 1
    let price: PlayPrice
    /// The way in which a one-time product is sold.
    var option = PlayTerms.PurchaseOption.buy
    /// The period that the order pays for; nil for a one-time product.
    var period: Range<Date>?
  }

  struct PartialRefund: Hashable, Sendable {
    let date: Date
    let amount: PlayPrice
  }

  init(_ item: Item, at date: Date) {
    number =
      "GPA."
      + [3000..<4000, 1000..<10000, 1000..<10000, 10000..<100_000]
      .map { String(Int.random(in: $0)) }.joined(separator: "-")
    all = [Order(id: number, date: date, item: item)]
  }

  /// The newest order; there is always one.
  var latest: Order { all[all.count - 1] }

  func order(_ id: String) -> Order? { all.first { $0.id == id } }

  /// Adds the order of a renewal, which is paid.
  mutating func renew(_ item: Item, at date: Date) {
    all.append(Order(id: "\(number)..\(all.count - 1)", date: date, item: item, paid: date))
  }

  /// Records that the money of the newest order came in, for a period.
  mutating func pay(at date: Date, for period: Range<Date>? = nil) {
    all[all.count - 1].paid = date
    all[all.count - 1].item.period = period
  }

  mutating func refund(_ id: String, isChargedBack: Bool = false, at date: Date) {
    alter(id) { order in
      order.refunded = date
      order.isChargedBack = isChargedBack
    }
  }

  mutating func refund(_ id: String, _ amount: PlayPrice, at date: Date) {
    alter(id) { $0.partialRefunds.append(PartialRefund(date: date, amount: amount)) }
  }

  private mutating func alter(_ id: String, _ body: (inout Order) -> Void) {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return }
    body(&all[index])
  }
}

extension PlayOrders.Order {
  /// The amount that was paid.
  var total: PlayPrice { item.price.times(item.quantity) }

  /// The amount that was not given back.
  var kept: PlayPrice {
    guard refunded == nil else { return total.times(0) }
    return partialRefunds.reduce(total) { $0.less($1.amount) }
  }
}

extension PlayPrice {
  /// The amount in billionths of a unit.
  private var billionths: Int { units * 1_000_000_000 + nanos }

  private init(_ currencyCode: String, billionths: Int) {
    self.init(currencyCode, units: billionths / 1_000_000_000, nanos: billionths % 1_000_000_000)
  }

  func times(_ count: Int) -> PlayPrice {
    PlayPrice(currencyCode, billionths: billionths * count)
  }

  func less(_ other: PlayPrice) -> PlayPrice {
    PlayPrice(currencyCode, billionths: max(0, billionths - other.billionths))
  }

  /// Returns a share of the amount, from 0 to 1, in whole hundredths of a unit.
  func share(_ share: Double) -> PlayPrice {
    let hundredths = (Double(billionths) / 1e7 * min(max(share, 0), 1)).rounded()
    return PlayPrice(currencyCode, billionths: Int(hundredths) * 10_000_000)
  }
}
