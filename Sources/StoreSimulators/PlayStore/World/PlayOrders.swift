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

  struct Order: Hashable, Sendable {
    let id: String
    let date: Date
    /// The date at which the money was given back.
    var refunded: Date?
  }

  init(at date: Date) {
    number =
      "GPA."
      + [3000..<4000, 1000..<10000, 1000..<10000, 10000..<100_000]
      .map { String(Int.random(in: $0)) }.joined(separator: "-")
    all = [Order(id: number, date: date)]
  }

  /// The newest order; there is always one.
  var latest: Order { all[all.count - 1] }

  func order(_ id: String) -> Order? { all.first { $0.id == id } }

  /// Adds the order of a renewal.
  mutating func renew(at date: Date) {
    all.append(Order(id: "\(number)..\(all.count - 1)", date: date))
  }

  mutating func refund(_ id: String, at date: Date) {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return }
    all[index].refunded = date
  }
}
